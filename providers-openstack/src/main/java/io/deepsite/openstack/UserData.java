package io.deepsite.openstack;

import io.deepsite.provider.Boot;
import io.deepsite.provider.Boot.BootFile;
import io.deepsite.provider.Resource;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/**
 * What cloud-init does at a machine's first start: host name, SSH host key, who may log in, boot files; then what the
 * site's own file says. Whoever runs a program on the machine can read it there, and whoever administers the project, for the
 * machine's whole life: hence the machine makes a host key of its own soon.
 */
final class UserData {
    /** What Nova takes, in base64. */
    private static final int LIMIT = 65_535;
    /** Left for a file of the site: base64 makes four letters of three bytes, and deepsite's own part is at most 8 KiB. */
    static final int ROOM = LIMIT / 4 * 3 - 8 * 1024;

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String BOUNDARY = "==deepsite==";
    static final String HOST_KEY = "/etc/ssh/ssh_host_ed25519_key";

    private UserData() {}

    /** The MIME type of a file of the site, told by its first line. */
    static Optional<String> type(String firstLine) {
        if (firstLine.startsWith("#cloud-config")) {
            return Optional.of("text/cloud-config");
        }
        return firstLine.startsWith("#!") ? Optional.of("text/x-shellscript") : Optional.empty();
    }

    /** In base64, as Nova takes it. */
    static String of(Resource machine, Boot boot, Optional<String> own) {
        var text = own.map(more -> multipart(cloudConfig(machine, boot), more))
                .orElseGet(() -> cloudConfig(machine, boot));
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static boolean isTooLong(String userData) {
        return userData.length() > LIMIT;
    }

    private static String cloudConfig(Resource machine, Boot boot) {
        var config = new LinkedHashMap<String, Object>();
        config.put("hostname", machine.id().key());
        config.put("preserve_hostname", false);
        // Else cloud-init lets root in only to be told to log in as somebody else.
        config.put("disable_root", false);
        config.put("ssh_pwauth", false);
        var files = new TreeMap<String, BootFile>();
        boot.files().forEach(file -> files.put(file.path(), file));
        var privateKey = files.remove(HOST_KEY);
        var publicKey = files.remove(HOST_KEY + ".pub");
        if (privateKey != null && publicKey != null) {
            // Given here, it replaces the keys of the image; as plain files cloud-init would delete them.
            config.put("ssh_deletekeys", true);
            config.put(
                    "ssh_keys", Map.of("ed25519_private", privateKey.content(), "ed25519_public", publicKey.content()));
        }
        var login = machine.values().get(ServerAttributes.LOGIN);
        var keys = files.get(Boot.LOGIN_KEYS);
        if (login != null && keys != null) {
            config.put("users", List.of("default", user(login, keys.content())));
        }
        var written = new ArrayList<Map<String, String>>();
        files.values()
                .forEach(file -> written.add(new TreeMap<>(Map.of(
                        "path", file.path(),
                        "permissions", String.format("0%o", file.mode()),
                        "owner", "root:root",
                        "content", file.content()))));
        config.put("write_files", written);
        // YAML reads JSON.
        return "#cloud-config\n" + MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(config) + "\n";
    }

    private static Map<String, Object> user(String login, String keys) {
        var user = new TreeMap<String, Object>();
        user.put("name", login);
        user.put("shell", "/bin/bash");
        user.put("lock_passwd", true);
        user.put("sudo", "ALL=(ALL) NOPASSWD:ALL");
        user.put(
                "ssh_authorized_keys",
                keys.lines().filter(line -> !line.isBlank()).toList());
        return user;
    }

    private static String multipart(String ours, String own) {
        var type = type(own.lines().findFirst().orElse("")).orElse("text/cloud-config");
        return "Content-Type: multipart/mixed; boundary=\"" + BOUNDARY + "\"\nMIME-Version: 1.0\n\n"
                + part("text/cloud-config", ours) + part(type, own) + "--" + BOUNDARY + "--\n";
    }

    private static String part(String type, String text) {
        return "--" + BOUNDARY + "\nContent-Type: " + type + "; charset=\"utf-8\"\nMIME-Version: 1.0\n\n" + text
                + (text.endsWith("\n") ? "" : "\n");
    }
}
