package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.Tags.Scope.AllSites;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

final class ObservationTest {
    @Test
    void findsResourcesByTheirTags() {
        assertThat(owned(Recorded.host()))
                .extracting(seen -> seen.id() + " " + seen.name() + " " + seen.condition())
                .containsExactly(
                        "instance/head demo-head READY",
                        "instance/node-1 demo-node-1 READY",
                        "volume/home demo-home READY");
    }

    @Test
    void otherSitesAndUntaggedObjectsAreIgnored() {
        assertThat(new Observation(Recorded.host(), new OneSite(new Name("other"))).owned())
                .isEmpty();
        assertThat(owned(Recorded.host(tree -> config(tree, 0).put(Ownership.ID, "nonsense"))))
                .hasSize(2);
        assertThat(owned(Recorded.host(tree -> config(tree, 0).put(Ownership.EXPIRES_AT, "tomorrow"))))
                .as("tags that deepsite did not write are no tags")
                .hasSize(2);
    }

    @Test
    void stoppedAndHalfMadeMachinesAreReported() {
        var snapshot = Recorded.host(tree -> {
            instance(tree, 0).put("status", "Stopped");
            config(tree, 1).remove(MachineAttributes.READY_KEY);
        });

        assertThat(owned(snapshot))
                .extracting(ObservedResource::condition)
                .containsExactly(Condition.STOPPED, Condition.HALF_MADE, Condition.READY);
    }

    @Test
    void versionMovesWithConfigDevicesAndState() {
        var before = head(Recorded.host());

        assertThat(head(Recorded.host()).version()).isEqualTo(before.version());
        for (Recorded.Change change : List.<Recorded.Change>of(
                tree -> config(tree, 0).put("limits.memory", "1GiB"),
                tree -> instance(tree, 0).withObject("devices").remove("vol-home"),
                tree -> instance(tree, 0).put("status", "Stopped"))) {
            assertThat(head(Recorded.host(change)).version()).isNotEqualTo(before.version());
        }
        for (Recorded.Change change : List.<Recorded.Change>of(
                tree -> config(tree, 0).put("volatile.eth0.host_name", "veth2"),
                tree -> config(tree, 0).put(Ownership.EXPIRES_AT, "2031-01-01T00:00:00Z"))) {
            assertThat(head(Recorded.host(change)).version()).isEqualTo(before.version());
        }
    }

    @Test
    void sizesAreReadAsSiteYamlWritesThem() {
        var snapshot = Recorded.host(tree -> config(tree, 0).put("limits.memory", "2048MiB"));

        assertThat(head(snapshot).attributes()).containsEntry("memory", "2GiB");
    }

    @Test
    void ownMachinesAndImagesAreNoOtherUsersOfAPool() {
        var snapshot = Recorded.host(tree -> {
            var pool = (ObjectNode) tree.withArray("pools").get(0);
            pool.withObject("config")
                    .put(Ownership.SITE, "demo")
                    .put(Ownership.ID, "pool/nova")
                    .put(Ownership.LINEAGE, "x");
            pool.withArray("used_by").add("/1.0/instances/other?project=lab");
        });

        var pool = owned(snapshot).stream()
                .filter(seen -> seen.id().kind().equals("pool"))
                .findFirst()
                .orElseThrow();

        assertThat(pool.usedBy()).containsExactly("profile default", "instance other");
        assertThat(pool.attributes()).isEqualTo(Map.of("driver", "btrfs", "size", "20GiB"));
    }

    private static List<ObservedResource> owned(Snapshot snapshot) {
        return new Observation(snapshot, new AllSites()).owned();
    }

    private static ObservedResource head(Snapshot snapshot) {
        return owned(snapshot).getFirst();
    }

    private static ObjectNode instance(ObjectNode tree, int index) {
        return (ObjectNode) tree.withArray("instances").get(index);
    }

    private static ObjectNode config(ObjectNode tree, int index) {
        return instance(tree, index).withObject("config");
    }
}
