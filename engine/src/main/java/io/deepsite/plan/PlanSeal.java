package io.deepsite.plan;

import io.deepsite.state.SiteKey;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Signs the JSON of a plan while it is written: the last key of the text is the signature of all before it. */
final class PlanSeal extends OutputStream {
    private static final String PURPOSE = "plan";
    /** Of the text without a seal. */
    private static final byte[] END = bytes("\n}\n");

    private static final Pattern SEAL = Pattern.compile(",\n {2}\"seal\" : \"([a-z0-9:-]+)\"\n}\n\\z");
    private static final int LONGEST = 200;

    private final SiteKey.Fingerprint fingerprint;
    private final OutputStream out;
    private byte[] held = {};

    PlanSeal(SiteKey key, OutputStream out) {
        this.fingerprint = key.fingerprint(PURPOSE);
        this.out = out;
    }

    @Override
    public void write(int one) throws IOException {
        write(new byte[] {(byte) one}, 0, 1);
    }

    /** Holds the end back, before which the seal belongs. */
    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
        fingerprint.update(bytes, from, length);
        var all = Arrays.copyOf(held, held.length + length);
        System.arraycopy(bytes, from, all, held.length, length);
        int ready = Math.max(0, all.length - END.length);
        out.write(all, 0, ready);
        held = Arrays.copyOfRange(all, ready, all.length);
    }

    /** After the whole text. */
    void end() throws IOException {
        out.write(bytes(",\n  \"seal\" : \"" + fingerprint.text() + "\""));
        out.write(held);
        out.flush();
    }

    /** The text without its seal; empty if none of the keys made it. */
    static Optional<InputStream> opened(byte[] sealed, List<SiteKey> keys) {
        int tail = Math.max(0, sealed.length - LONGEST);
        var seal = SEAL.matcher(new String(sealed, tail, sealed.length - tail, StandardCharsets.ISO_8859_1));
        if (!seal.find()) {
            return Optional.empty();
        }
        int body = tail + seal.start();
        var said = bytes(seal.group(1));
        return keys.stream().anyMatch(key -> MessageDigest.isEqual(said, bytes(seal(key, sealed, body))))
                ? Optional.of(new SequenceInputStream(
                        new ByteArrayInputStream(sealed, 0, body), new ByteArrayInputStream(END)))
                : Optional.empty();
    }

    private static String seal(SiteKey key, byte[] sealed, int body) {
        var fingerprint = key.fingerprint(PURPOSE);
        fingerprint.update(sealed, 0, body);
        fingerprint.update(END, 0, END.length);
        return fingerprint.text();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
