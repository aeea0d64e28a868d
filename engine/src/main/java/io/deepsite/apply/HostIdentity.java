package io.deepsite.apply;

import io.deepsite.remote.HostKey;
import io.deepsite.state.OpenSshKey;
import io.deepsite.state.Secret;
import java.util.Optional;

/**
 * The vault's keys of a machine that deepsite made: the injected key pair; while the machine changes its key, also the
 * public half of its own; then only its own. See ADR 12.
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

    /** Whether the injected key no longer proves anything. */
    boolean isItsOwn() {
        return injected.isEmpty();
    }

    /** The key that it has, or is about to have. */
    HostKey key() {
        return own.orElseGet(() -> HostKey.parse(injected.orElseThrow().publicLine()));
    }

    /** The other key that is accepted as well. */
    Optional<HostKey> otherKey() {
        return own.flatMap(_ -> injected).map(key -> HostKey.parse(key.publicLine()));
    }

    boolean shows(HostKey shown) {
        return shown.equals(key()) || otherKey().filter(shown::equals).isPresent();
    }
}
