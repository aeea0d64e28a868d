package io.deepsite.site;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * An SSH public key as in authorized_keys, without options: {@code ssh-ed25519 AAAA… comment}.
 * Sources: RFC 4253 6.6, RFC 5656 3.1, RFC 8709 4; OpenSSH, PROTOCOL.u2f.
 *
 * @param fields of its wire form after the type, all of them: nothing that was not understood is part of a key
 * @param comment empty for none
 */
public record SshPublicKey(String type, List<byte[]> fields, String comment) {
    private static final String RSA = "ssh-rsa";
    private static final String ED25519 = "ssh-ed25519";
    private static final String SECURITY_KEY_ED25519 = "sk-ssh-ed25519@openssh.com";

    /** How many fields the wire form has after the type. */
    private static final Map<String, Integer> FIELDS = Map.of(
            ED25519,
            1,
            "ecdsa-sha2-nistp256",
            2,
            "ecdsa-sha2-nistp384",
            2,
            "ecdsa-sha2-nistp521",
            2,
            RSA,
            2,
            SECURITY_KEY_ED25519,
            2,
            "sk-ecdsa-sha2-nistp256@openssh.com",
            3);

    private static final int ED25519_BYTES = 32;
    private static final int SHORTEST_RSA = 2048;

    /** Several times the longest RSA key that OpenSSH makes. */
    private static final int LONGEST_LINE = 16_384;

    public SshPublicKey {
        fields = List.copyOf(fields);
    }

    /** Why the text is not one; empty when it is. */
    public static String fault(String line) {
        try {
            parse(line);
            return "";
        } catch (IllegalArgumentException e) {
            return Objects.requireNonNullElse(e.getMessage(), "");
        }
    }

    /** @throws IllegalArgumentException saying why it is not one, in a sentence */
    public static SshPublicKey parse(String line) {
        if (line.contains("PRIVATE KEY")) {
            throw new IllegalArgumentException(
                    "This is a private key. It belongs on its owner's machine only; treat it as lost.");
        }
        if (line.length() > LONGEST_LINE || line.strip().contains("\n")) {
            throw new IllegalArgumentException("A public key is one line of at most " + LONGEST_LINE + " characters.");
        }
        String[] words = line.strip().split("\\s+", 3);
        if (words[0].equals("ssh-dss")) {
            throw new IllegalArgumentException("DSA keys are too weak, and no current SSH server takes them.");
        }
        if (words[0].contains("-cert-v01@")) {
            throw new IllegalArgumentException("This is a certificate, not the key that it was made for.");
        }
        var count = FIELDS.get(words[0]);
        if (count == null) {
            throw new IllegalArgumentException(
                    "A public key begins with its type, such as ssh-ed25519 or ssh-rsa; options are not used.");
        }
        if (words.length < 2) {
            throw new IllegalArgumentException("The key itself is missing after its type.");
        }
        return new SshPublicKey(words[0], fields(words[0], words[1], count), words.length < 3 ? "" : words[2]);
    }

    private static List<byte[]> fields(String type, String base64, int count) {
        var fields = new ArrayList<byte[]>();
        try {
            var wire = ByteBuffer.wrap(Base64.getDecoder().decode(base64));
            if (!new String(field(wire), StandardCharsets.US_ASCII).equals(type)) {
                throw new IllegalArgumentException("The key itself is of another type than " + type + ".");
            }
            for (int i = 0; i < count; i++) {
                fields.add(field(wire));
            }
            if (wire.hasRemaining()) {
                throw new IllegalArgumentException("The key itself is longer than a key of its type.");
            }
        } catch (BufferUnderflowException e) {
            throw new IllegalArgumentException("The text after the type is damaged or cut off.", e);
        }
        checkSizes(type, fields);
        return fields;
    }

    private static void checkSizes(String type, List<byte[]> fields) {
        boolean wrongLength = (type.equals(ED25519) || type.equals(SECURITY_KEY_ED25519))
                && fields.getFirst().length != ED25519_BYTES;
        if (wrongLength || fields.stream().anyMatch(field -> field.length == 0)) {
            throw new IllegalArgumentException("The text after the type is damaged or cut off.");
        }
        // The modulus has a leading zero byte: its first bit is set.
        if (type.equals(RSA) && (fields.getLast().length - 1) * 8 < SHORTEST_RSA) {
            throw new IllegalArgumentException("An RSA key has at least " + SHORTEST_RSA + " bits.");
        }
    }

    private static byte[] field(ByteBuffer wire) {
        int length = wire.getInt();
        if (length < 0 || length > wire.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] field = new byte[length];
        wire.get(field);
        return field;
    }
}
