package io.deepsite.apply;

import io.deepsite.remote.HostKey;
import io.deepsite.state.OpenSshKey;
import io.deepsite.state.Secret;
import java.util.Optional;

/**
 * What the vault keeps of a machine that deepsite made: the key pair that was injected; then, while the machine changes its
 * key, that and the public half of its own; then its own alone. See ADR 12.
 */
record HostIdentity(Optional<OpenSshKey> injected, Optional<HostKey> own) {

    static HostIdentity of(Secret kept) {
        var text = kept.reveal();
        if (!text.startsWith("ssh-")) {
            return new HostIdentity(Optional.of(OpenSshKey.of(kept)), Optional.empty());
        }
        var lines = text.split("\n", 2);
        return new HostIdentity(
                Optional.of(lines)
                        .filter(two -> two.length > 1 && !two[1].isBlank())
                        .map(two -> OpenSshKey.of(Secret.of(two[1]))),
                Optional.of(HostKey.parse(lines[0])));
    }

    Secret kept() {
        return Secret.of(own.map(key -> key.line() + "\n").orElse("")
                + injected.map(key -> key.privateKey().reveal()).orElse(""));
    }

    HostIdentity changingTo(HostKey key) {
        return new HostIdentity(injected, Optional.of(key));
    }

    HostIdentity changed() {
        return new HostIdentity(Optional.empty(), own);
    }

    /** Whether what was injected proves nothing any more. */
    boolean isItsOwn() {
        return injected.isEmpty();
    }

    /** The key that it shows, or is about to show. */
    HostKey key() {
        return own.orElseGet(() -> HostKey.parse(injected.orElseThrow().publicLine()));
    }

    /** The key that it may show as well. */
    Optional<HostKey> otherKey() {
        return own.flatMap(_ -> injected).map(key -> HostKey.parse(key.publicLine()));
    }

    boolean shows(HostKey shown) {
        return shown.equals(key()) || otherKey().filter(shown::equals).isPresent();
    }
}
