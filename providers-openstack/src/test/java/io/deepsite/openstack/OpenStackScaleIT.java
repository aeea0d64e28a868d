package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.Boot;
import io.deepsite.provider.Boot.BootFile;
import io.deepsite.provider.Call;
import io.deepsite.provider.Design;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Tags;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Twenty servers at once on a real OpenStack: all start and are deleted, without a request per server and poll. */
final class OpenStackScaleIT {
    private static final int SERVERS = 20;
    /** Requests that a server may take, however long it needs: to find, create and delete it. */
    private static final int EACH = 10;

    private static final Boot BOOT =
            new Boot(List.of(new BootFile("/etc/ssh/ssh_host_ed25519_key", 0600, "not a key\n")));

    private final RealSite site = new RealSite("it-scale", RealCloud.settings("10.65.0.0/24"), SERVERS);

    @BeforeEach
    @AfterEach
    void cleanUp() {
        site.deleteAll();
    }

    @Test
    void twentyServersComeUpAndGoWithFewRequests() {
        var before = requestsOf(() -> site.owned());
        var design = site.compile();
        site.createAllButMachines(design, site.tags());

        var up = measured(() -> atOnce(machines(design), machine -> create(machine, site.tags())));

        assertThat(site.owned())
                .filteredOn(seen -> seen.id().kind().equals(Kinds.SERVER))
                .hasSize(SERVERS)
                .extracting(ObservedResource::condition)
                .containsOnly(Condition.READY);
        assertThat(up.requests())
                .as("requests to make %d servers in %s", SERVERS, up.took())
                .isLessThan(up.allowed());
        assertThat(requestsOf(() -> site.owned()))
                .as("a survey asks no more when there are more things")
                .isEqualTo(before);

        var servers = site.owned().stream()
                .filter(seen -> seen.id().kind().equals(Kinds.SERVER))
                .toList();
        var down = measured(() -> atOnce(servers, seen -> site.provider().delete(seen, Call.QUIET)));

        assertThat(site.owned()).noneMatch(seen -> seen.id().kind().equals(Kinds.SERVER));
        assertThat(down.requests())
                .as("requests to delete %d servers in %s", SERVERS, down.took())
                .isLessThan(down.allowed());
    }

    /** @param requests that were sent meanwhile */
    private record Measured(long requests, Duration took) {
        /** That many for each server, and one a second for polling. */
        long allowed() {
            return (long) SERVERS * EACH + took.toSeconds() + EACH;
        }
    }

    private Measured measured(Runnable work) {
        long before = site.requests();
        var start = System.nanoTime();
        work.run();
        return new Measured(site.requests() - before, Duration.ofNanos(System.nanoTime() - start));
    }

    private long requestsOf(Runnable work) {
        return measured(work).requests();
    }

    private void create(Resource machine, Tags tags) {
        site.provider().create(machine, tags, BOOT, Call.QUIET);
    }

    private static List<Resource> machines(Design design) {
        return design.resources().stream().filter(Resource::isMachine).toList();
    }

    private static <T> void atOnce(List<T> all, Consumer<T> work) {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var running = all.stream()
                    .map(one -> threads.submit(() -> work.accept(one)))
                    .toList();
            for (var one : running) {
                one.get();
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError("not all came to an end", e);
        }
    }
}
