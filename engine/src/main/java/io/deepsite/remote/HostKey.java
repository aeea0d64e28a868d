package io.deepsite.remote;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * The public key that authenticates a host.
 *
 * @param type such as {@code ssh-ed25519}
 * @param base64 the key in SSH's wire form
 */
public record HostKey(String type, String base64) {

    public HostKey {
        if (!type.matches("[a-z0-9@.-]{1,64}") || !type.equals(typeInside(base64))) {
            throw new IllegalArgumentException("not an SSH public key: " + type + " " + base64);
        }
    }

    /**
     * Reads {@code <type> <base64> [comment]}, as in a host's {@code .pub} file.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static HostKey parse(String line) {
        var words = line.strip().split("[ \t]+", 3);
        if (words.length < 2) {
            throw new IllegalArgumentException("not an SSH public key: " + line);
        }
        return new HostKey(words[0], words[1]);
    }

    static HostKey ofWire(byte[] wire) {
        var base64 = Base64.getEncoder().encodeToString(wire);
        return new HostKey(typeInside(base64), base64);
    }

    /** As {@code ssh-keygen -l} prints it: {@code SHA256:…}. */
    public String fingerprint() {
        try {
            var digest = MessageDigest.getInstance("SHA-256")
                    .digest(Base64.getDecoder().decode(base64));
            return "SHA256:" + Base64.getEncoder().withoutPadding().encodeToString(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** {@code <type> <base64>}. */
    public String line() {
        return type + " " + base64;
    }

    /** The wire form starts with the type's length and the type; empty if it does not. */
    private static String typeInside(String base64) {
        var wire = ByteBuffer.wrap(Base64.getDecoder().decode(base64));
        int length = wire.remaining() < Integer.BYTES ? -1 : wire.getInt();
        if (length < 1 || length >= wire.remaining()) {
            return "";
        }
        var type = new byte[length];
        wire.get(type);
        return new String(type, StandardCharsets.US_ASCII);
    }
}
