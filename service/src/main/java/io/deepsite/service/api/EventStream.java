package io.deepsite.service.api;

import io.deepsite.service.http.Exchange;
import io.deepsite.service.sites.EventFeed;
import io.deepsite.service.sites.EventRow;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/** Events of a site as they happen: server-sent events, which a client that was cut off goes on with by Last-Event-ID. */
final class EventStream {
    /** How long somebody who may see the site no more is sent events; shorter than what cuts silent connections. */
    private static final Duration CHECK = Duration.ofSeconds(2);

    private final EventFeed feed;
    /** A browser opens one for each tab. */
    private final Semaphore places;

    EventStream(EventFeed feed, int places) {
        this.feed = feed;
        this.places = new Semaphore(places);
    }

    boolean enter() {
        return places.tryAcquire();
    }

    enum State {
        GOES_ON,
        /** The site has come to its end, so no event follows. */
        OVER,
        /** Who follows has logged out, or may see the site no more. */
        FORBIDDEN
    }

    void write(Exchange exchange, String site, long after, Supplier<State> state) throws IOException {
        try (var out = exchange.stream("text/event-stream")) {
            long seen = after;
            out.write("retry: 2000\n\n".getBytes(StandardCharsets.UTF_8));
            out.flush();
            long checked = System.nanoTime();
            while (!feed.isClosed()) {
                var events = feed.next(site, seen, CHECK);
                if (System.nanoTime() - checked >= CHECK.toNanos()) {
                    var now = state.get();
                    // A browser that tries again is told why.
                    if (now == State.FORBIDDEN) {
                        return;
                    }
                    if (now == State.OVER && events.isEmpty()) {
                        write(out, "event: end\ndata: {}\n\n");
                        return;
                    }
                    checked = System.nanoTime();
                }
                for (var event : events) {
                    write(out, event);
                    seen = event.seq();
                }
                if (events.isEmpty()) {
                    write(out, ": nothing new\n\n");
                }
                out.flush();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            places.release();
        }
    }

    private static void write(OutputStream out, EventRow event) throws IOException {
        write(out, "id: " + event.seq() + "\ndata: " + event.event() + "\n\n");
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
    }
}
