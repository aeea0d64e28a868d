package io.deepsite.remote;

import java.security.PublicKey;
import java.util.List;
import java.util.Optional;
import net.schmizz.sshj.common.Buffer;
import net.schmizz.sshj.transport.verification.HostKeyVerifier;

/** Accepts one host key, and remembers which other one was shown. */
final class OnlyThisKey implements HostKeyVerifier {
    private final HostKey expected;
    private volatile Optional<HostKey> refused = Optional.empty();

    OnlyThisKey(HostKey expected) {
        this.expected = expected;
    }

    @Override
    public boolean verify(String hostname, int port, PublicKey key) {
        var shown = HostKey.ofWire(new Buffer.PlainBuffer().putPublicKey(key).getCompactData());
        if (shown.equals(expected)) {
            return true;
        }
        refused = Optional.of(shown);
        return false;
    }

    /** Makes sshj ask for the key that we know, where a host has several. */
    @Override
    public List<String> findExistingAlgorithms(String hostname, int port) {
        return expected.type().equals("ssh-rsa") ? List.of("rsa-sha2-512", "rsa-sha2-256") : List.of(expected.type());
    }

    Optional<HostKey> refused() {
        return refused;
    }
}
