package io.deepsite.state;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.BadPaddingException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.bouncycastle.crypto.digests.SHA256Digest;
import org.bouncycastle.crypto.generators.PKCS5S2ParametersGenerator;
import org.bouncycastle.crypto.params.KeyParameter;
import org.jspecify.annotations.Nullable;

/**
 * The format of {@code ansible-vault}, version 1.1 (1.2, which adds a label, is read too).
 * Source: Ansible documentation, "Ansible Vault payload format 1.1 - 1.2": PBKDF2-HMAC-SHA256 with 10000 rounds gives a
 * cipher key, an HMAC key and a counter start; AES-256-CTR over PKCS#7 padded text; HMAC-SHA256 over the cipher text.
 */
public final class AnsibleVault {
    private static final String MAGIC = "$ANSIBLE_VAULT";
    private static final int LINE = 80;
    private static final int SALT = 32;
    private static final int KEY = 32;
    private static final int BLOCK = 16;
    private static final int ROUNDS = 10_000;
    private static final HexFormat HEX = HexFormat.of();
    private static final SecureRandom RANDOM = new SecureRandom();

    private AnsibleVault() {}

    /**
     * Each call takes a new salt: the same text never encrypts to the same bytes. The result ends with a line break.
     */
    public static byte[] encrypt(byte[] plain, VaultKey key) {
        var salt = new byte[SALT];
        RANDOM.nextBytes(salt);
        try {
            var keys = Keys.derive(key, salt);
            var cipherText = keys.crypt(Cipher.ENCRYPT_MODE, pad(plain));
            var inner =
                    HEX.formatHex(salt) + "\n" + HEX.formatHex(keys.mac(cipherText)) + "\n" + HEX.formatHex(cipherText);
            return envelope(HEX.formatHex(inner.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the Java runtime lacks AES or HMAC-SHA256", e);
        }
    }

    /**
     * @param name of the content, for the diagnostics: usually its path
     * @throws Failure VAULT_KEY_WRONG if the key does not fit or the file was altered (the two are indistinguishable);
     *     VAULT_DAMAGED if it is no such file at all
     */
    public static byte[] decrypt(byte[] content, VaultKey key, String name) {
        var lines =
                new String(content, StandardCharsets.US_ASCII).strip().lines().toList();
        if (lines.isEmpty() || !isSupported(lines.getFirst())) {
            throw damaged(name, "It does not begin with \"" + MAGIC + ";1.1;AES256\".", null);
        }
        var parts = parts(String.join("", lines.subList(1, lines.size())), name);
        try {
            var keys = Keys.derive(key, parts.get(0));
            if (!MessageDigest.isEqual(parts.get(1), keys.mac(parts.get(2)))) {
                throw new Failure(Diagnostic.error(
                        Code.VAULT_KEY_WRONG,
                        name + " was not encrypted with the key in " + key.source()
                                + ", or was altered. Nothing was changed.",
                        "Point DEEPSITE_VAULT_KEY_FILE at the right key, or put " + name
                                + " back from a backup. Without the key its secrets are lost."));
            }
            return unpad(keys.crypt(Cipher.DECRYPT_MODE, parts.get(2)));
        } catch (BadPaddingException e) {
            throw damaged(name, "Its padding is not PKCS#7.", e);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the Java runtime lacks AES or HMAC-SHA256", e);
        }
    }

    /** Derives a key for another purpose; guessing the vault key from it costs as much as from a vault. */
    static byte[] derive(VaultKey key, String purpose) {
        return Keys.bytes(key, purpose.getBytes(StandardCharsets.UTF_8), KEY);
    }

    private static boolean isSupported(String header) {
        var fields = header.strip().split(";", -1);
        return fields.length >= 3
                && fields[0].equals(MAGIC)
                && (fields[1].equals("1.1") || fields[1].equals("1.2"))
                && fields[2].equals("AES256");
    }

    /** Salt, HMAC, cipher text: each in hex, joined by line breaks, and the whole in hex again. */
    private static List<byte[]> parts(String body, String name) {
        try {
            var inner = new String(HEX.parseHex(body), StandardCharsets.US_ASCII).split("\n", -1);
            if (inner.length != 3) {
                throw damaged(name, "It holds " + inner.length + " parts instead of 3.", null);
            }
            return List.of(HEX.parseHex(inner[0]), HEX.parseHex(inner[1]), HEX.parseHex(inner[2]));
        } catch (IllegalArgumentException e) {
            throw damaged(name, "It is cut off or holds characters that are not hexadecimal.", e);
        }
    }

    private static byte[] envelope(String hex) {
        var out = new StringBuilder(MAGIC).append(";1.1;AES256\n");
        for (var start = 0; start < hex.length(); start += LINE) {
            out.append(hex, start, Math.min(start + LINE, hex.length())).append('\n');
        }
        return out.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] pad(byte[] plain) {
        var missing = BLOCK - plain.length % BLOCK;
        var padded = Arrays.copyOf(plain, plain.length + missing);
        Arrays.fill(padded, plain.length, padded.length, (byte) missing);
        return padded;
    }

    private static byte[] unpad(byte[] padded) throws BadPaddingException {
        var count = padded.length == 0 ? 0 : padded[padded.length - 1];
        if (count < 1 || count > BLOCK || count > padded.length) {
            throw new BadPaddingException("padding of " + count);
        }
        return Arrays.copyOf(padded, padded.length - count);
    }

    private static Failure damaged(String name, String why, @Nullable Throwable cause) {
        return new Failure(
                Diagnostic.error(
                        Code.VAULT_DAMAGED,
                        name + ": " + why,
                        "Put it back from a backup, or, where deepsite wrote it, put back the version before, which is"
                                + " kept beside it with the ending .backup."),
                cause);
    }

    private record Keys(SecretKeySpec cipher, SecretKeySpec hmac, IvParameterSpec counter) {

        static Keys derive(VaultKey key, byte[] salt) {
            var derived = bytes(key, salt, 2 * KEY + BLOCK);
            return new Keys(
                    new SecretKeySpec(derived, 0, KEY, "AES"),
                    new SecretKeySpec(derived, KEY, KEY, "HmacSHA256"),
                    new IvParameterSpec(derived, 2 * KEY, BLOCK));
        }

        /**
         * Uses Bouncy Castle, whose HMAC keeps its first block: the JDK's hashes it again each round and takes twice as
         * long.
         */
        static byte[] bytes(VaultKey key, byte[] salt, int length) {
            var generator = new PKCS5S2ParametersGenerator(new SHA256Digest());
            generator.init(key.reveal().getBytes(StandardCharsets.UTF_8), salt, ROUNDS);
            return ((KeyParameter) generator.generateDerivedMacParameters(length * Byte.SIZE)).getKey();
        }

        byte[] crypt(int mode, byte[] bytes) throws GeneralSecurityException {
            var aes = Cipher.getInstance("AES/CTR/NoPadding");
            aes.init(mode, cipher, counter);
            return aes.doFinal(bytes);
        }

        byte[] mac(byte[] bytes) throws GeneralSecurityException {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(hmac);
            return mac.doFinal(bytes);
        }
    }
}
