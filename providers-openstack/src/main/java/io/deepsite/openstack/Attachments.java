package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Call;
import io.deepsite.provider.Polling;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Attaches volumes to servers that exist, and detaches them. Nova does both after it has answered. */
final class Attachments {
    private static final Duration LIMIT = Duration.ofMinutes(10);
    private static final Set<String> UNDER_WAY = Set.of("reserved", "attaching");

    private final Cloud cloud;
    private final Polling<Snapshot.Volume> watch;
    private final String words;

    /** @param words how messages name the cloud */
    Attachments(Cloud cloud, Polling<Snapshot.Volume> watch, String words) {
        this.cloud = cloud;
        this.watch = watch;
        this.words = words;
    }

    /** Waits first for another machine of the site that still has it, if it moves. */
    void attach(Snapshot.Server server, String volume, Call call) {
        call.progress("attaching a volume");
        var before =
                await(volume, seen -> seen.status().equals("available") || isOf(seen, server) || hasFailed(seen), call);
        if (before.filter(seen -> isOf(seen, server)).isPresent()) {
            return;
        }
        cloud.client().compute().servers().attachVolume(server.id(), volume, null);
        var after = await(volume, seen -> !UNDER_WAY.contains(seen.status()), call);
        if (after.filter(seen -> isOf(seen, server)).isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.PROVIDER_REFUSED,
                    "Nova at " + words + " could not attach the volume "
                            + after.map(Snapshot.Volume::name).orElse(volume) + " to the server " + server.name()
                            + ". Its status is "
                            + after.map(Snapshot.Volume::status).orElse("gone") + ".",
                    "The log of nova-compute has the reason. Then run the same command again."));
        }
    }

    /** Waits until it is detached: it may be deleted, or attached elsewhere, next. */
    void detach(Snapshot.Server server, String volume, Call call) {
        call.progress("detaching a volume");
        if (Refusal.found(() -> cloud.client().compute().servers().detachVolume(server.id(), volume))) {
            await(volume, seen -> !isOf(seen, server) || hasFailed(seen), call);
        }
    }

    private static boolean isOf(Snapshot.Volume volume, Snapshot.Server server) {
        return volume.serverIds().contains(server.id());
    }

    private static boolean hasFailed(Snapshot.Volume volume) {
        return volume.status().startsWith("error");
    }

    private Optional<Snapshot.Volume> await(String id, Predicate<Snapshot.Volume> done, Call call) {
        return watch.await(id, seen -> seen.map(done::test).orElse(true), LIMIT, "the volume " + id, call);
    }
}
