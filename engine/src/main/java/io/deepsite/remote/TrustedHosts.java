package io.deepsite.remote;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The host keys that the user's OpenSSH trusts. Plain and hashed names; no wildcards, no certificate authorities. */
public final class TrustedHosts {
    /** In OpenSSH's order of preference. */
    private static final List<String> TYPES =
            List.of("ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa");

    private static final int SSH_PORT = 22;

    private record Line(List<String> names, String type, String key) {}

    private final List<Line> lines = new ArrayList<>();

    private TrustedHosts() {}

    /** OpenSSH's known_hosts files for the user with this home directory. */
    public static List<Path> files(Path userHome) {
        return List.of(userHome.resolve(".ssh/known_hosts"), Path.of("/etc/ssh/ssh_known_hosts"));
    }

    /** Missing or unreadable files count as empty. */
    public static TrustedHosts read(List<Path> files) {
        var known = new TrustedHosts();
        for (var file : files) {
            try {
                known.add(Files.readString(file, StandardCharsets.ISO_8859_1));
            } catch (IOException _) {
                // As OpenSSH: without the file the host is unknown, and that is reported.
            }
        }
        return known;
    }

    private void add(String text) {
        text.lines().map(String::strip).forEach(line -> {
            String[] words = line.split("[ \t]+");
            // A line with a marker (@revoked, @cert-authority) is not a host's own key.
            if (words.length >= 3 && !line.startsWith("#") && !line.startsWith("@")) {
                lines.add(new Line(Arrays.asList(words[0].split(",")), words[1], words[2]));
            }
        });
    }

    /** {@code <type> <base64>} of the trusted key for this address, of the type that OpenSSH prefers. */
    public Optional<String> key(String address, int port) {
        String place = port == SSH_PORT ? address : "[" + address + "]:" + port;
        var found = lines.stream()
                .filter(line -> line.names().stream().anyMatch(name -> matches(name, place)))
                .toList();
        return TYPES.stream()
                .flatMap(type -> found.stream().filter(line -> line.type().equals(type)))
                .findFirst()
                .map(line -> line.type() + " " + line.key());
    }

    private static boolean matches(String name, String place) {
        if (!name.startsWith("|1|")) {
            return name.equalsIgnoreCase(place);
        }
        String[] parts = name.split("\\|");
        if (parts.length != 4) {
            return false;
        }
        try {
            // OpenSSH hashes names with HMAC-SHA1 (sshd(8), SSH_KNOWN_HOSTS FILE FORMAT).
            var mac = Mac.getInstance("HmacSHA1");
            mac.init(new SecretKeySpec(Base64.getDecoder().decode(parts[2]), "HmacSHA1"));
            return Arrays.equals(
                    mac.doFinal(place.getBytes(StandardCharsets.UTF_8)),
                    Base64.getDecoder().decode(parts[3]));
        } catch (IllegalArgumentException _) {
            return false;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has HmacSHA1", e);
        }
    }
}
