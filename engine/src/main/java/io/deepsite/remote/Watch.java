package io.deepsite.remote;

import io.deepsite.diag.Failure;
import io.deepsite.provider.Provider;
import io.deepsite.site.Name;
import java.util.Optional;

/** What the back-end tells of a machine that does not answer. An extra: where it cannot be asked, the wait goes on without. */
public interface Watch {
    /** Of a host that no back-end of ours made. */
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

    /** Why it can never answer as it is; empty while it runs or is on its way. */
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
