package io.deepsite.remote;

import io.deepsite.site.SshPublicKey;
import io.deepsite.state.OpenSshKey;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import net.schmizz.sshj.common.Buffer;

/**
 * What an SSH certificate says of the holder of a key: the account that it opens, and when. It permits a terminal and
 * forwarding of the agent and of ports; it has no other rights, and no options.
 * Source: OpenSSH, PROTOCOL.certkeys.
 *
 * @param id what the logs of sshd call it
 * @param principal the account
 * @param serial as an unsigned number
 * @param from in whole seconds, like {@code until}
 * @param until the first instant at which it is no longer valid
 */
public record UserCertificate(SshPublicKey key, String id, String principal, long serial, Instant from, Instant until) {
    /** In the order of their bytes, as the format demands. */
    private static final List<String> EXTENSIONS =
            List.of("permit-agent-forwarding", "permit-port-forwarding", "permit-pty");

    private static final int USER = 1;
    private static final int NONCE_BYTES = 32;
    private static final byte[] NOTHING = {};

    public UserCertificate {
        if (principal.isEmpty()) {
            throw new IllegalArgumentException("a certificate without a principal is valid for every account");
        }
    }

    /**
     * The line of a {@code -cert.pub} file, without a line break.
     *
     * @param authority an Ed25519 key pair
     */
    public String signedBy(OpenSshKey authority, SecureRandom random) {
        var signer = authority.publicLine().split(" ", 3);
        var signed = content(Base64.getDecoder().decode(signer[1]), random);
        var signature = new Buffer.PlainBuffer()
                .putString(signer[0])
                .putBytes(authority.sign(signed.getCompactData()))
                .getCompactData();
        return (type() + " "
                        + Base64.getEncoder()
                                .encodeToString(signed.putBytes(signature).getCompactData())
                        + " " + id)
                .strip();
    }

    private Buffer.PlainBuffer content(byte[] signer, SecureRandom random) {
        var nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        var content = new Buffer.PlainBuffer();
        content.putString(type()).putBytes(nonce);
        key.fields().forEach(content::putBytes);
        content.putUInt64(new BigInteger(Long.toUnsignedString(serial)))
                .putUInt32(USER)
                .putString(id)
                .putBytes(texts(List.of(principal)))
                .putUInt64(from.getEpochSecond())
                .putUInt64(until.getEpochSecond())
                .putBytes(NOTHING)
                .putBytes(texts(EXTENSIONS.stream()
                        .flatMap(name -> List.of(name, "").stream())
                        .toList()))
                .putBytes(NOTHING)
                .putBytes(signer);
        return content;
    }

    private static byte[] texts(List<String> texts) {
        var packed = new Buffer.PlainBuffer();
        texts.forEach(text -> packed.putString(text, StandardCharsets.UTF_8));
        return packed.getCompactData();
    }

    /** The names of the types that OpenSSH made itself end with its domain, before which the version stands. */
    private String type() {
        return key.type().replace("@openssh.com", "") + "-cert-v01@openssh.com";
    }
}
