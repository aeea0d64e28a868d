package io.deepsite.remote;

import io.deepsite.diag.Failure;
import io.deepsite.provider.Provider;
import io.deepsite.site.Name;
import java.util.Optional;

/**
 * The back-end's view of an unreachable machine. Optional: if the back-end cannot be queried, the wait continues
 * without it.
 */
public interface Watch {
    /** For a host that no back-end made. */
    Watch NONE = new Watch() {
        @Override
        public Optional<String> down() {
            return Optional.empty();
        }

        @Override
        public String console() {
            return "";
        }
    };

    /** Why it cannot become reachable as it is; empty while it runs or starts. */
    Optional<String> down();

    /** The last lines of its console, or empty. */
    String console();

    static Watch of(Provider provider, String machine, Name site) {
        return new Watch() {
            @Override
            public Optional<String> down() {
                try {
                    return provider.down(machine, site);
                } catch (Failure _) {
                    return Optional.empty();
                }
            }

            @Override
            public String console() {
                try {
                    return provider.consoleLog(machine, site);
                } catch (Failure _) {
                    return "";
                }
            }
        };
    }
}
