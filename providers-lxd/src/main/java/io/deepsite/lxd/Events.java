package io.deepsite.lxd;

import io.deepsite.provider.Call;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.WebSocket;
import okhttp3.WebSocketListener;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Progress of operations from LXD's event websocket, opened on first use. For display only: without it (an old proxy, a
 * broken connection) operations complete all the same.
 */
final class Events implements AutoCloseable {
    private final Rest rest;
    private final Map<String, Call> followed = new HashMap<>();
    private @Nullable WebSocket socket;

    Events(Rest rest) {
        this.rest = rest;
    }

    /** Ends following when closed. */
    interface Following extends AutoCloseable {
        @Override
        void close();
    }

    synchronized Following follow(String operation, Call call) {
        followed.put(operation, call);
        if (socket == null) {
            var url = rest.path("events").addQueryParameter("type", "operation").build();
            socket = rest.client().newWebSocket(new Request.Builder().url(url).build(), new Listener());
        }
        return () -> forget(operation);
    }

    private synchronized void forget(String operation) {
        followed.remove(operation);
    }

    private synchronized @Nullable Call follower(String operation) {
        return followed.get(operation);
    }

    private synchronized void lost(WebSocket lost) {
        if (lost.equals(socket)) {
            socket = null;
        }
    }

    @Override
    public synchronized void close() {
        var open = socket;
        socket = null;
        if (open != null) {
            open.cancel();
        }
    }

    /** @param metadata the operation, in an event of type operation */
    record Event(String type, Operation metadata) {
        /** Empty for other events. */
        static Optional<Event> read(String text) {
            try {
                return Optional.ofNullable(Json.MAPPER.readValue(text, Event.class))
                        .filter(event -> event.metadata() != null);
            } catch (JacksonException _) {
                return Optional.empty();
            }
        }
    }

    private final class Listener extends WebSocketListener {
        @Override
        public void onMessage(WebSocket webSocket, String text) {
            Event.read(text).map(Event::metadata).ifPresent(operation -> {
                var progress = operation.progress();
                var call = follower(operation.id());
                if (call != null && !progress.isEmpty()) {
                    call.progress(progress);
                }
            });
        }

        @Override
        public void onClosed(WebSocket webSocket, int code, String reason) {
            lost(webSocket);
        }

        @Override
        public void onFailure(WebSocket webSocket, Throwable fault, @Nullable Response response) {
            lost(webSocket);
        }
    }
}
