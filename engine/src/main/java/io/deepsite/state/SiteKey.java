package io.deepsite.state;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Fingerprints content with secrets, so that a change is visible and recordable without the content: a bare hash of a
 * short password could be guessed, an HMAC under this key, itself a secret of the site, cannot.
 */
public final class SiteKey {
    private final SecretKeySpec key;

    SiteKey(Secret secret) {
        this(secret.reveal().getBytes(StandardCharsets.UTF_8));
    }

    private SiteKey(byte[] key) {
        this.key = new SecretKeySpec(key, "HmacSHA256");
    }

    /** For a site without secrets: only who could read its vault later has this key. */
    static SiteKey ofVault(VaultKey key, String site) {
        return new SiteKey(AnsibleVault.derive(key, "deepsite site " + site));
    }

    /**
     * @param purpose separates equal contents of different things, such as {@code secret:munge_key} or a path; without
     *     NUL
     * @return {@code hmac-sha256:<hex>}
     */
    public String fingerprint(String purpose, byte[] content) {
        var fingerprint = fingerprint(purpose);
        fingerprint.update(content, 0, content.length);
        return fingerprint.text();
    }

    /** As {@link #fingerprint(String, byte[])}, of content that comes in parts. */
    public Fingerprint fingerprint(String purpose) {
        try {
            var mac = Mac.getInstance("HmacSHA256");
            mac.init(key);
            mac.update(purpose.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return new Fingerprint(mac);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("the Java runtime lacks HMAC-SHA256", e);
        }
    }

    /** Of content that is not known as a whole yet. */
    public static final class Fingerprint {
        private final Mac mac;

        private Fingerprint(Mac mac) {
            this.mac = mac;
        }

        public void update(byte[] bytes, int from, int length) {
            mac.update(bytes, from, length);
        }

        /** After all content. */
        public String text() {
            return "hmac-sha256:" + HexFormat.of().formatHex(mac.doFinal());
        }
    }

    @Override
    public String toString() {
        return "***";
    }
}
