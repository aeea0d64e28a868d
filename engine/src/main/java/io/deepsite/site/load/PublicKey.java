package io.deepsite.site.load;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;

/** An SSH public key as in authorized_keys, without options: {@code ssh-ed25519 AAAA… comment}. */
final class PublicKey {
    private static final Set<String> TYPES = Set.of(
            "ssh-ed25519",
            "ecdsa-sha2-nistp256",
            "ecdsa-sha2-nistp384",
            "ecdsa-sha2-nistp521",
            "ssh-rsa",
            "sk-ssh-ed25519@openssh.com",
            "sk-ecdsa-sha2-nistp256@openssh.com");
    private static final int SHORTEST_RSA = 2048;

    private PublicKey() {}

    /** Why it is not one; empty when it is. */
    static String fault(String line) {
        if (line.contains("PRIVATE KEY")) {
            return "This is a private key. It belongs on its owner's machine only; treat it as lost.";
        }
        String[] words = line.strip().split("\\s+");
        if (words[0].equals("ssh-dss")) {
            return "DSA keys are too weak, and no current SSH server takes them.";
        }
        if (!TYPES.contains(words[0])) {
            return "A public key begins with its type, such as ssh-ed25519 or ssh-rsa; options are not used.";
        }
        if (words.length < 2) {
            return "The key itself is missing after its type.";
        }
        try {
            var blob = ByteBuffer.wrap(Base64.getDecoder().decode(words[1]));
            if (!new String(part(blob), StandardCharsets.US_ASCII).equals(words[0])) {
                return "The key itself is of another type than " + words[0] + ".";
            }
            byte[] material = part(blob);
            if (words[0].equals("ssh-rsa") && (part(blob).length - 1) * 8 < SHORTEST_RSA) {
                return "An RSA key has at least " + SHORTEST_RSA + " bits.";
            }
            return material.length == 0 ? "The key is cut off." : "";
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            return "The text after the type is damaged or cut off.";
        }
    }

    private static byte[] part(ByteBuffer blob) {
        int length = blob.getInt();
        if (length < 0 || length > blob.remaining()) {
            throw new BufferUnderflowException();
        }
        byte[] part = new byte[length];
        blob.get(part);
        return part;
    }
}
