package io.deepsite.remote;

import java.security.PublicKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.schmizz.sshj.common.Buffer;
import net.schmizz.sshj.transport.verification.HostKeyVerifier;

/** Accepts only one host's keys, and records any other key that was offered. */
final class OnlyItsKeys implements HostKeyVerifier {
    private final List<HostKey> expected;
    private volatile Optional<HostKey> refused = Optional.empty();

    OnlyItsKeys(SshTarget target) {
        this.expected = target.hostKeys();
    }

    @Override
    public boolean verify(String hostname, int port, PublicKey key) {
        var shown = HostKey.ofWire(new Buffer.PlainBuffer().putPublicKey(key).getCompactData());
        if (expected.contains(shown)) {
            return true;
        }
        refused = Optional.of(shown);
        return false;
    }

    /** Makes sshj negotiate the type of the known key, if a host has several. */
    @Override
    public List<String> findExistingAlgorithms(String hostname, int port) {
        return expected.stream()
                .map(HostKey::type)
                .distinct()
                .flatMap(type -> type.equals("ssh-rsa") ? Stream.of("rsa-sha2-512", "rsa-sha2-256") : Stream.of(type))
                .toList();
    }

    Optional<HostKey> refused() {
        return refused;
    }
}
