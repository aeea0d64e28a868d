package io.deepsite.ansible;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How Ansible runs.
 *
 * @param environment of this process, of which Ansible gets PATH, HOME and TMPDIR
 * @param grace for how long it goes on without this process, once that is stopped or killed; empty: to its end
 */
public record Ansible(Map<String, String> environment, ControlNodes nodes, Optional<Duration> grace) {
    public Ansible {
        environment = Map.copyOf(environment);
    }

    /** On this machine, for as long as it takes. */
    public static Ansible here(Map<String, String> environment) {
        return new Ansible(environment, ControlNodes.THIS, Optional.empty());
    }
}
