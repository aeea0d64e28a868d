package io.deepsite.openstack;

import io.deepsite.provider.Boot;
import io.deepsite.provider.CloudConfig;
import io.deepsite.provider.Resource;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;

/**
 * What cloud-init does at a machine's first start: host name, SSH host key, authorized keys, boot files; then the site's own
 * file. Every program on the machine and every administrator of the project can read it for the machine's whole life, so
 * the machine soon generates a new host key.
 */
final class UserData {
    /** Nova's limit, in base64. */
    private static final int LIMIT = 65_535;
    /** Left for a file of the site: base64 makes four letters of three bytes, and deepsite's own part is at most 8 KiB. */
    static final int ROOM = LIMIT / 4 * 3 - 8 * 1024;

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String BOUNDARY = "==deepsite==";

    private UserData() {}

    /** The MIME type of a file of the site, by its first line. */
    static Optional<String> type(String firstLine) {
        if (firstLine.startsWith("#cloud-config")) {
            return Optional.of("text/cloud-config");
        }
        return firstLine.startsWith("#!") ? Optional.of("text/x-shellscript") : Optional.empty();
    }

    /** In base64, as Nova requires. */
    static String of(Resource machine, Boot boot, Optional<String> own) {
        var text = own.map(more -> multipart(cloudConfig(machine, boot), more))
                .orElseGet(() -> cloudConfig(machine, boot));
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    static boolean isTooLong(String userData) {
        return userData.length() > LIMIT;
    }

    private static String cloudConfig(Resource machine, Boot boot) {
        var login = Optional.ofNullable(machine.values().get(ServerAttributes.LOGIN));
        var config = CloudConfig.of(machine.id().key(), login, boot);
        // JSON is YAML.
        return CloudConfig.HEAD + MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(config) + "\n";
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
