package io.deepsite.state;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.UUID;

/** How a secret is generated. */
public sealed interface SecretKind {

    Secret generate(SecureRandom random);

    /**
     * Parses a secret from outside, as typed or read from a file.
     *
     * @throws IllegalArgumentException saying what a value of this kind is
     */
    default Secret read(String text) {
        if (text.strip().contains("\n")) {
            throw new IllegalArgumentException("one line of text");
        }
        return Secret.of(text.strip());
    }

    /** Random bytes in base64, without line breaks: a munge key, an encryption key. */
    record RandomBytes(int count) implements SecretKind {
        public RandomBytes {
            atLeast(16, count, "random bytes");
        }

        @Override
        public Secret generate(SecureRandom random) {
            var bytes = new byte[count];
            random.nextBytes(bytes);
            return Secret.of(Base64.getEncoder().encodeToString(bytes));
        }
    }

    /** Letters and digits only, so that it needs no quoting in any configuration file or URL. */
    record Password(int length) implements SecretKind {
        private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

        public Password {
            atLeast(20, length, "characters");
        }

        @Override
        public Secret generate(SecureRandom random) {
            var text = new StringBuilder(length);
            for (var i = 0; i < length; i++) {
                text.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
            }
            return Secret.of(text.toString());
        }
    }

    /** A random UUID, such as the name of a libvirt secret. */
    record Uuid() implements SecretKind {

        @Override
        public Secret generate(SecureRandom random) {
            var bytes = new byte[16];
            random.nextBytes(bytes);
            var buffer = ByteBuffer.wrap(bytes);
            long high = (buffer.getLong() & ~0xF000L) | 0x4000L;
            long low = (buffer.getLong() & ~(3L << 62)) | (2L << 62);
            return Secret.of(new UUID(high, low).toString());
        }
    }

    /** An Ed25519 key pair; the secret is the private half, {@link OpenSshKey#of} gives the public line. */
    record SshKeyPair(String comment) implements SecretKind {

        @Override
        public Secret generate(SecureRandom random) {
            return OpenSshKey.generate(comment, random).privateKey();
        }

        @Override
        public Secret read(String text) {
            var key = Secret.of(text.strip() + "\n");
            try {
                return OpenSshKey.of(key).privateKey();
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("an Ed25519 key in OpenSSH's format, without a passphrase", e);
            }
        }
    }

    private static void atLeast(int least, int asked, String what) {
        if (asked < least) {
            throw new IllegalArgumentException("a secret has at least " + least + " " + what + ", not " + asked);
        }
    }
}
