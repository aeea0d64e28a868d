package io.deepsite.client;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import okio.BufferedSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Follows the events of a site, also when the connection is cut: it goes on after the last one that it has. */
public final class EventReader {
    private static final int ATTEMPTS = 60;
    private static final Duration PAUSE = Duration.ofSeconds(2);

    private final ServiceClient client;
    private final Pause pause;

    /** Waits before the next attempt. */
    @FunctionalInterface
    public interface Pause {
        void rest(Duration time) throws InterruptedException;
    }

    /** What somebody does who follows. */
    public interface Listener {
        /** @return whether to go on */
        boolean happened(JsonNode event);

        /**
         * The service says that nothing happens, or the connection is new.
         *
         * @return whether to go on
         */
        boolean quiet();
    }

    public EventReader(ServiceClient client, Pause pause) {
        this.client = client;
        this.pause = pause;
    }

    /**
     * @param after number of the last event that is known
     * @throws Failure SERVICE_UNREACHABLE if it does not answer for two minutes, or as the service says
     */
    public void follow(String site, long after, Listener listener) {
        long seen = after;
        int failed = 0;
        while (true) {
            try (var answer = client.stream("/v1/sites/" + site + "/events", seen)) {
                var lines = new Lines(answer.body().source(), seen);
                boolean more = listener.quiet();
                while (more) {
                    var event = lines.next();
                    failed = 0;
                    seen = lines.seen;
                    if (lines.over) {
                        listener.quiet();
                        return;
                    }
                    more = event.isPresent() ? listener.happened(event.get()) : listener.quiet();
                }
                if (!more) {
                    return;
                }
            } catch (IOException e) {
                if (++failed == ATTEMPTS) {
                    throw client.unreachable(e);
                }
                rest();
            } catch (Failure e) {
                if (e.diagnostics().getFirst().code() != Code.SERVICE_UNREACHABLE || ++failed == ATTEMPTS) {
                    throw e;
                }
                rest();
            }
        }
    }

    private void rest() {
        try {
            pause.rest(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Server-sent events. Source: HTML, section 9.2.6. */
    private static final class Lines {
        private final BufferedSource source;
        private long seen;
        private boolean over;

        Lines(BufferedSource source, long seen) {
            this.source = source;
            this.seen = seen;
        }

        /** The next event; empty for a comment, or when the service has sent the last one. */
        Optional<JsonNode> next() throws IOException {
            var data = new StringBuilder();
            boolean comment = false;
            while (true) {
                var line = source.readUtf8LineStrict();
                if (line.isEmpty()) {
                    if (!data.isEmpty() || comment || over) {
                        return over || data.isEmpty() ? Optional.empty() : Optional.of(read(data.toString()));
                    }
                } else if (line.startsWith("id: ")) {
                    seen = Long.parseLong(line.substring(4));
                } else if (line.startsWith("data: ")) {
                    data.append(line, 6, line.length());
                } else if (line.startsWith(":")) {
                    comment = true;
                } else if (line.equals("event: end")) {
                    over = true;
                }
            }
        }

        private static JsonNode read(String data) throws IOException {
            try {
                return PlainJson.read(data);
            } catch (JacksonException e) {
                throw new IOException("an event is no JSON", e);
            }
        }
    }
}
