package io.deepsite.service.login;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Random texts that nobody can guess. Tables hold only their hashes, so that a copy of the tables lets nobody in. */
final class OpaqueToken {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int BYTES = 32;
    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{43}");
    private static final Base64.Encoder TEXT = Base64.getUrlEncoder().withoutPadding();

    private OpaqueToken() {}

    /** Of 256 bits. */
    static String fresh() {
        var bytes = new byte[BYTES];
        RANDOM.nextBytes(bytes);
        return TEXT.encodeToString(bytes);
    }

    /** Whether it may be one: what is not needs no look into a table. */
    static boolean hasForm(String text) {
        return FORM.matcher(text).matches();
    }

    static String hash(String token) {
        try {
            return TEXT.encodeToString(
                    MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Another one that who knows it cannot get the first from. */
    static String derived(String token, String purpose) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return TEXT.encodeToString(mac.doFinal(purpose.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** In a time that does not depend on where they differ. */
    static boolean same(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
