package io.deepsite.provider;

import io.deepsite.provider.Boot.BootFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What cloud-init does at a machine's first start, before its SSH server runs: host name, SSH host key, who may log in,
 * boot files.
 */
public final class CloudConfig {
    public static final String HOST_KEY = "/etc/ssh/ssh_host_ed25519_key";
    /** The first line, from which cloud-init recognises the format; YAML, and so JSON, follows. */
    public static final String HEAD = "#cloud-config\n";

    private CloudConfig() {}

    /**
     * As cloud-init's YAML has it.
     *
     * @param login a user besides root that is made, with the same keys
     */
    public static Map<String, Object> of(String hostname, Optional<String> login, Boot boot) {
        var config = new LinkedHashMap<String, Object>();
        config.put("hostname", hostname);
        config.put("preserve_hostname", false);
        // Otherwise cloud-init answers root's login only with the advice to use another user.
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
        var keys = files.get(Boot.LOGIN_KEYS);
        if (login.isPresent() && keys != null) {
            config.put("users", List.of("default", user(login.get(), keys.content())));
        }
        var written = new ArrayList<Map<String, String>>();
        files.values()
                .forEach(file -> written.add(new TreeMap<>(Map.of(
                        "path", file.path(),
                        "permissions", String.format("0%o", file.mode()),
                        "owner", "root:root",
                        "content", file.content()))));
        config.put("write_files", written);
        return config;
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
}
