package io.deepsite.state;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.interfaces.EdECPrivateKey;
import java.security.spec.EdECPrivateKeySpec;
import java.security.spec.NamedParameterSpec;
import java.util.Arrays;
import java.util.Base64;

/**
 * An Ed25519 key pair as OpenSSH keeps it.
 * Source: OpenSSH, PROTOCOL.key (the private file), RFC 8709 (the public half).
 *
 * @param privateKey the private key file, unencrypted, ending with a line break
 * @param publicLine {@code ssh-ed25519 <base64> <comment>}, as in authorized_keys or a host's {@code .pub}; no line break
 */
public record OpenSshKey(Secret privateKey, String publicLine) {
    private static final String BEGIN = "-----BEGIN OPENSSH PRIVATE KEY-----";
    private static final String END = "-----END OPENSSH PRIVATE KEY-----";
    private static final String MAGIC = "openssh-key-v1\0";
    private static final String TYPE = "ssh-ed25519";
    private static final String JAVA_NAME = "Ed25519";
    private static final int HALF = 32;
    private static final int BLOCK = 8;
    private static final int LINE = 70;

    public static OpenSshKey generate(String comment, SecureRandom random) {
        if (comment.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the comment of a key is one line of text");
        }
        try {
            var generator = KeyPairGenerator.getInstance(JAVA_NAME);
            generator.initialize(255, random);
            var pair = generator.generateKeyPair();
            var seed = ((EdECPrivateKey) pair.getPrivate()).getBytes().orElseThrow();
            var encoded = pair.getPublic().getEncoded();
            // The X.509 form of an Ed25519 key ends with its 32 bytes (RFC 8410).
            var point = Arrays.copyOfRange(encoded, encoded.length - HALF, encoded.length);
            return of(Secret.of(file(seed, point, comment, random.nextInt())));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("the Java runtime lacks Ed25519", e);
        }
    }

    /**
     * Extracts the public half of a private key file that {@link #generate} made.
     *
     * @throws IllegalArgumentException if it is another kind of key, or encrypted
     */
    public static OpenSshKey of(Secret privateKey) {
        var text = privateKey.reveal().strip();
        if (!text.startsWith(BEGIN) || !text.endsWith(END)) {
            throw new IllegalArgumentException("not an OpenSSH private key");
        }
        var in = wire(text);
        try {
            var magic = new byte[MAGIC.length()];
            in.get(magic);
            var cipher = text(string(in));
            string(in);
            string(in);
            in.getInt();
            var publicBlob = string(in);
            var secretPart = ByteBuffer.wrap(string(in));
            if (!MAGIC.equals(text(magic)) || !cipher.equals("none")) {
                throw new IllegalArgumentException("not an unencrypted OpenSSH private key");
            }
            secretPart.getLong();
            if (!text(string(secretPart)).equals(TYPE)) {
                throw new IllegalArgumentException("not an Ed25519 key");
            }
            string(secretPart);
            string(secretPart);
            var line = TYPE + " " + Base64.getEncoder().encodeToString(publicBlob) + " " + text(string(secretPart));
            return new OpenSshKey(privateKey, line.stripTrailing());
        } catch (BufferUnderflowException | NegativeArraySizeException e) {
            throw new IllegalArgumentException("a cut-off OpenSSH private key", e);
        }
    }

    /** The raw Ed25519 signature of a message, 64 bytes (RFC 8032). */
    public byte[] sign(byte[] message) {
        var text = privateKey.reveal().strip();
        try {
            var seed = new EdECPrivateKeySpec(NamedParameterSpec.ED25519, seed(wire(text)));
            var signature = Signature.getInstance(JAVA_NAME);
            signature.initSign(KeyFactory.getInstance(JAVA_NAME).generatePrivate(seed));
            signature.update(message);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("an Ed25519 key that cannot sign", e);
        }
    }

    /** The private half of a file whose form {@link #of} has checked. */
    private static byte[] seed(ByteBuffer file) {
        file.position(MAGIC.length());
        for (int skipped = 0; skipped < 3; skipped++) {
            string(file);
        }
        file.getInt();
        string(file);
        var secretPart = ByteBuffer.wrap(string(file));
        secretPart.getLong();
        string(secretPart);
        string(secretPart);
        return Arrays.copyOf(string(secretPart), HALF);
    }

    private static ByteBuffer wire(String text) {
        return ByteBuffer.wrap(
                Base64.getMimeDecoder().decode(text.substring(BEGIN.length(), text.length() - END.length())));
    }

    private static String file(byte[] seed, byte[] point, String comment, int check) {
        var publicBlob = new Wire().string(TYPE).string(point).bytes();
        var secretPart = new Wire().number(check).number(check).string(TYPE).string(point);
        var both = Arrays.copyOf(seed, seed.length + point.length);
        System.arraycopy(point, 0, both, seed.length, point.length);
        secretPart.string(both).string(comment).pad();
        var all = new Wire().raw(MAGIC).string("none").string("none").string("").number(1);
        all.string(publicBlob).string(secretPart.bytes());
        var lines = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(all.bytes());
        return BEGIN + "\n" + lines + "\n" + END + "\n";
    }

    private static byte[] string(ByteBuffer in) {
        var length = in.getInt();
        if (length > in.remaining()) {
            throw new BufferUnderflowException();
        }
        var bytes = new byte[length];
        in.get(bytes);
        return bytes;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** SSH's wire encoding (RFC 4251): big-endian numbers, length-prefixed strings. */
    private static final class Wire {
        private final ByteArrayOutputStream out = new ByteArrayOutputStream();

        Wire number(int value) {
            out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
            return this;
        }

        Wire raw(String ascii) {
            out.writeBytes(ascii.getBytes(StandardCharsets.US_ASCII));
            return this;
        }

        Wire string(byte[] bytes) {
            number(bytes.length);
            out.writeBytes(bytes);
            return this;
        }

        Wire string(String text) {
            return string(text.getBytes(StandardCharsets.UTF_8));
        }

        /** Pads with 1, 2, 3 … to a whole block. */
        void pad() {
            for (var next = 1; out.size() % BLOCK != 0; next++) {
                out.write(next);
            }
        }

        byte[] bytes() {
            return out.toByteArray();
        }
    }
}
