package io.deepsite.lxd;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.Requirements;
import io.deepsite.provider.Sites;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Where machines, pools and bridges are made, and from which images: clusters, projects, servers, drivers. */
class PlacementTest {
    @Test
    void memberOfAClusterIsChecked() {
        reads("members/DS2120-no-cluster", tree -> {}, 1, group -> group.target = Optional.of("node2"));
        reads("members/DS2120-no-such-member", PlacementTest::cluster, 1, group -> group.target = Optional.of("node9"));
        reads("members/DS2120-member-down", PlacementTest::cluster, 1, group -> group.target = Optional.of("node2"));
        var group = Groups.of(asked -> asked.target = Optional.of("@default"));
        assertThat(Recorded.machine(
                        Recorded.compile(Recorded.host(PlacementTest::cluster), site(1, group), Requirements.NONE),
                        "m-1"))
                .containsEntry("target", "@default");
        var card = new GpuRequest(Optional.of(new Name("nvidia")), Optional.empty(), 1, List.of(), Optional.empty());
        var site = Sites.site("lab", settings().lxd(), Map.of("m", Sites.many("debian/12", 1, 1, "256MiB", card)));
        assertReads(
                "members/DS2120-cards-of-which-member",
                () -> Recorded.compile(
                        Recorded.host(tree -> {
                            cluster(tree);
                            Recorded.addCards(tree);
                        }),
                        site,
                        Requirements.NONE));
    }

    @Test
    void poolAndBridgeAreNotMadeInAClusterNorBridgesInAProjectOfItsOwn() {
        var fresh = SampleSettings.at(
                "unix:///var/lib/lxd/unix.socket",
                new LxdPool("fresh", "btrfs", Size.parse("8GiB"), Optional.empty(), Optional.empty()),
                "freshbr0");
        assertReads(
                "members/DS2106-pool-in-a-cluster",
                () -> Recorded.compile(Recorded.host(PlacementTest::cluster), site(fresh), Requirements.NONE));
        assertReads(
                "network/DS2108-project-with-its-own-networks",
                () -> Recorded.compile(
                        Recorded.host(tree -> {
                            tree.putArray("networks");
                            tree.putArray("instances");
                            tree.putObject("project")
                                    .put("name", "lab")
                                    .putObject("config")
                                    .put("features.networks", "true");
                        }),
                        site(SampleSettings.at("unix:///var/lib/lxd/unix.socket", Recorded.POOL, "freshbr0")
                                .project("lab")),
                        Requirements.NONE));
    }

    /** Golden only: no host of the tests has such drivers. */
    @Test
    void poolsOfOtherDriversAreMadeInExistingSources() {
        Recorded.Change drivers = tree -> {
            var known = ((ObjectNode) tree.path("server").path("environment")).putArray("storage_supported_drivers");
            for (var name : List.of("zfs", "lvm", "ceph")) {
                known.addObject().put("Name", name);
            }
        };
        assertThat(pool(drivers, "zfs", Optional.of("tank/lxd")))
                .isEqualTo(Map.of("driver", "zfs", "source", "tank/lxd"));
        assertThat(pool(drivers, "lvm", Optional.of("vg0"))).isEqualTo(Map.of("driver", "lvm", "source", "vg0"));
        assertThat(pool(drivers, "lvm", Optional.empty())).isEqualTo(Map.of("driver", "lvm", "size", "8GiB"));
        assertThat(pool(drivers, "ceph", Optional.empty())).isEqualTo(Map.of("driver", "ceph"));
        assertThat(pool(drivers, "ceph", Optional.of("osd-lxd")))
                .isEqualTo(Map.of("driver", "ceph", "source", "osd-lxd"));
    }

    @Test
    void nameOfAnotherProjectOnTheSameBridgeIsTaken() {
        reads(
                "machines/DS2003-name-in-another-project",
                tree -> tree.withArray("instances")
                        .addObject()
                        .put("name", "lab-m-1")
                        .put("project", "other")
                        .putObject("expanded_devices")
                        .putObject("eth0")
                        .put("network", "lxdbr0"),
                1,
                group -> {});
    }

    @Test
    void imageOfAServerIsFetchedNotBuilt() {
        var settings = settings()
                .image(
                        "alpine/3.19",
                        new LxdImage("https://images.example", "alpine/3.19", "container", Optional.empty()));
        var site = Sites.site("lab", settings.lxd(), Map.of("m", Sites.single("alpine/3.19", 1, "256MiB")));

        assertReads(
                "machines/DS2110-image-of-a-server", () -> Recorded.compile(Recorded.host(), site, Requirements.NONE));
    }

    private static Map<String, String> pool(Recorded.Change change, String driver, Optional<String> source) {
        var settings = SampleSettings.at(
                "unix:///var/lib/lxd/unix.socket",
                new LxdPool("fast", driver, Size.parse("8GiB"), Optional.empty(), source),
                "lxdbr0");
        var design = Recorded.compile(Recorded.host(change), site(settings), Requirements.NONE);
        var pool = design.resources().stream()
                .filter(resource -> resource.id().kind().equals(PoolAttributes.KIND))
                .findFirst()
                .orElseThrow();
        var made = new Pool("fast", driver, "Created", PoolAttributes.config(pool), List.of());
        assertThat(PoolAttributes.observed(made)).isEqualTo(pool.values());
        return pool.values();
    }

    private static void reads(String name, Recorded.Change host, int machines, Groups.Change change) {
        assertReads(
                name,
                () -> Recorded.compile(Recorded.host(host), site(machines, Groups.of(change)), Requirements.NONE));
    }

    private static SampleSettings settings() {
        return new SampleSettings(Recorded.settings());
    }

    private static Site site(int machines, LxdMachines group) {
        return Sites.site(
                "lab", settings().group("m", group).lxd(), Map.of("m", Sites.many("debian/12", machines, 1, "256MiB")));
    }

    private static Site site(SampleSettings settings) {
        LxdSettings lxd = settings.lxd();
        return Sites.site("lab", lxd, Map.of("m", Sites.single("debian/12", 1, "256MiB")));
    }

    private static void cluster(ObjectNode tree) {
        for (var member : List.of("vm Online", "node2 Offline")) {
            var words = member.split(" ");
            tree.withArray("members")
                    .addObject()
                    .put("server_name", words[0])
                    .put("status", words[1])
                    .putArray("groups")
                    .add("default");
        }
    }
}
