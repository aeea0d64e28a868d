package io.deepsite.lxd;

import io.deepsite.provider.Call;
import io.deepsite.provider.Pause;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import okhttp3.HttpUrl;
import org.jspecify.annotations.Nullable;

/** Waits for LXD's background operations. */
final class Operations {
    /** How long one request waits at LXD; a cancel is noticed at most this late. */
    private static final int ROUND_SECONDS = 1;
    /** A wait that another cluster member forwards returns at once; this pause prevents a busy loop. */
    private static final Duration SHORT_ROUND = Duration.ofMillis(200);

    private final Rest rest;
    private final Faults faults;
    private final Events events;

    Operations(Rest rest, Faults faults, Events events) {
        this.rest = rest;
        this.faults = faults;
        this.events = events;
    }

    /** How an operation ended, if LXD still knows. */
    enum End {
        SUCCEEDED,
        /** LXD forgot it, as it does a few seconds after the end and at a restart: check the object itself. */
        FORGOTTEN
    }

    /**
     * Waits until it ends. Forwards a cancel if LXD allows it; otherwise keeps waiting.
     *
     * @param request method and path that started it
     * @throws Refusal when it failed
     */
    End await(Rest.Reply started, String request, Call call) {
        // A member of a cluster adds the project: /1.0/operations/<id>?project=default.
        var path = started.operation().replaceFirst("\\?.*", "");
        var id = path.substring(path.lastIndexOf('/') + 1);
        try (var _ = events.follow(id, call)) {
            boolean asked = false;
            while (true) {
                if (call.cancelled() && !asked) {
                    asked = true;
                    cancel(id);
                }
                long begun = System.nanoTime();
                var round = round(id);
                if (round.isEmpty()) {
                    return End.FORGOTTEN;
                }
                var operation = round.get().value();
                if (operation.statusCode() < 100) {
                    throw new Refusal(200, request, "with an operation whose state is " + operation.statusCode());
                }
                if (operation.succeeded()) {
                    return End.SUCCEEDED;
                }
                if (operation.statusCode() == 401) {
                    throw faults.cancelled(faults.at().daemon() + " cancelled \"" + operation.description() + "\".");
                }
                if (operation.isOver()) {
                    // LXD answers 200 to the wait even when the operation failed.
                    throw new Refusal(operation.statusCode(), request, operation.err());
                }
                if (System.nanoTime() - begun < SHORT_ROUND.toNanos()) {
                    Pause.REAL.of(SHORT_ROUND);
                }
            }
        }
    }

    /** The operation after one wait. Incus fails a wait that is over before its operation is; LXD shows the operation. */
    private Optional<Rest.Etagged<Operation>> round(String id) {
        try {
            return rest.find(wait(id), Operation.class);
        } catch (Refusal refusal) {
            if (!refusal.error().equals("context deadline exceeded")) {
                throw refusal;
            }
            return rest.find(rest.path("operations", id), Operation.class);
        }
    }

    private HttpUrl.Builder wait(String id) {
        return rest.path("operations", id, "wait").addQueryParameter("timeout", String.valueOf(ROUND_SECONDS));
    }

    /** What became of an operation whose result it forgot. */
    String lost() {
        return faults.at().daemon() + " lost the operation before it was done; it was probably restarted";
    }

    private void cancel(String id) {
        try {
            rest.delete(rest.path("operations", id));
        } catch (Refusal _) {
            // It cannot be cancelled, or has ended: the wait shows which.
        }
    }

    /** Waits for all operations that run on one object, such as those a killed run started. */
    void settle(String path, Call call) {
        for (var operation : running(path)) {
            call.progress("waiting for " + faults.at().daemon() + ": " + operation.description());
            try {
                await(
                        new Rest.Reply(path, Json.MAPPER.nullNode(), "/1.0/operations/" + operation.id(), ""),
                        operation.description(),
                        call);
            } catch (Refusal _) {
                // Its failure does not matter: the caller checks what it left.
            }
        }
    }

    private List<Operation> running(String path) {
        var byStatus = rest.get(rest.path("operations").addQueryParameter("recursion", "1"), OperationsByStatus.class);
        return byStatus.running().stream()
                .filter(operation -> operation.concerns(path))
                .toList();
    }

    /** The shape of the collection: lists by status; an absent key is an empty list. */
    record OperationsByStatus(List<Operation> running) {
        OperationsByStatus(@Nullable List<Operation> running) {
            this.running = running == null ? List.of() : running;
        }
    }
}
