package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Requirements.Group;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Sites;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

final class CompilationTest {
    private static final String FINGERPRINT =
            Recorded.host().images().getFirst().fingerprint();

    @Test
    void unchangedSiteNeedsNothingElse() {
        var snapshot = Recorded.host();

        var design = Recorded.compile(snapshot, Recorded.demo(1), Recorded.sharedHome());

        var owned = new LxdSurvey(snapshot, Recorded.settings(), new OneSite(new Name("demo"))).owned();
        assertThat(owned.stream().collect(Collectors.toMap(seen -> seen.id(), seen -> Map.copyOf(seen.attributes()))))
                .isEqualTo(design.resources().stream()
                        .collect(Collectors.toMap(Resource::id, resource -> Map.copyOf(resource.values()))));
    }

    @Test
    void newMachinesGetFreeAddressesAndExistingOnesKeepTheirs() {
        var design = Recorded.compile(Recorded.host(), Recorded.demo(3), Recorded.sharedHome());

        assertThat(addresses(design))
                .containsExactly("head 10.77.0.241", "node-1 10.77.0.242", "node-2 10.77.0.53", "node-3 10.77.0.54");
    }

    @Test
    void addressesOfLeasesAndOfOtherInstancesAreLeftOut() {
        var snapshot = Recorded.host(tree -> {
            tree.withArray("leases")
                    .addObject()
                    .put("hostname", "x")
                    .put("address", "10.77.0.53")
                    .put("type", "dynamic");
            var other =
                    tree.withArray("instances").addObject().put("name", "other").put("project", "lab");
            other.putObject("expanded_devices")
                    .putObject("eth0")
                    .put("type", "nic")
                    .put("network", "lxdbr0")
                    .put("ipv4.address", "10.77.0.54");
        });

        var design = Recorded.compile(snapshot, Recorded.demo(2), Recorded.sharedHome());

        assertThat(addresses(design)).last().isEqualTo("node-2 10.77.0.55");
    }

    @Test
    void addressThatAClusterReservesIsNotAssigned() {
        var reserved = new Requirements(Map.of(), List.of(), List.of(IpAddress.parse("10.77.0.53")), List.of());

        var design = Recorded.compile(Recorded.host(), Recorded.demo(2), reserved);

        assertThat(addresses(design)).last().isEqualTo("node-2 10.77.0.54");
    }

    @Test
    void reservedAddressIsFreeAndInTheSubnet() {
        for (var unusable : List.of("10.77.0.241", "10.77.0.1", "192.0.2.250")) {
            var reserved = new Requirements(Map.of(), List.of(), List.of(IpAddress.parse(unusable)), List.of());

            assertThat(faults(Recorded.host(), Recorded.demo(1), reserved))
                    .as(unusable)
                    .extracting(Diagnostic::code)
                    .containsExactly(Code.ADDRESS_UNUSABLE);
        }
    }

    @Test
    void dhcpRangeIsUsedLast() {
        var snapshot = Recorded.host(tree -> network(tree).put("ipv4.dhcp.ranges", "10.77.0.2-10.77.0.250"));

        var design = Recorded.compile(snapshot, Recorded.demo(6), Recorded.sharedHome());

        assertThat(addresses(design)).contains("node-2 10.77.0.251", "node-5 10.77.0.254", "node-6 10.77.0.2");
    }

    @Test
    void fullSubnetIsRefused() {
        var faults = faults(Recorded.host(), Recorded.demo(260));

        assertThat(faults).extracting(Diagnostic::code).containsExactly(Code.LXD_NO_ADDRESS);
        assertThat(faults.getFirst().why()).contains("8 machines");
    }

    @Test
    void missingPoolAndBridgeAreMadeOnAFreeSubnet() {
        var pool = new LxdPool("fresh", "btrfs", Size.parse("8GiB"), Optional.empty(), Optional.empty());
        var site = Recorded.with(Recorded.demo(0), Recorded.settings(pool, "freshbr0"));
        var snapshot = Recorded.host(tree -> {
            Recorded.clear(tree);
            var used = tree.putArray("host_subnets").add("192.0.2.2/24").add("10.78.9.1/16");
            IntStream.range(77, 256)
                    .filter(second -> second != 78 && second != 143)
                    .forEach(second -> used.add("10." + second + ".0.1/24"));
        });

        var design = Recorded.compile(snapshot, site, Requirements.NONE);

        assertThat(design.resources().stream().map(resource -> resource.id() + " " + resource.values()))
                .contains("pool/fresh {driver=btrfs, size=8GiB}", "network/freshbr0 {subnet=10.143.0.1/24}");
        assertThat(addresses(design)).containsExactly("head 10.143.0.53");
        assertThat(Recorded.machine(design, "head")).containsEntry("pool", "fresh");
    }

    @Test
    void sitesThatArePlannedAtTheSameTimeChooseDifferentSubnets() {
        var settings = Recorded.settings(Recorded.POOL, "freshbr0");
        var subnets = Stream.of("lab-1", "lab-2", "lab-3", "lab-4")
                .map(name -> Recorded.compile(
                        Recorded.host(Recorded::clear),
                        Recorded.with(Recorded.named(name, 0), settings),
                        Requirements.NONE))
                .map(CompilationTest::addresses)
                .map(addresses -> addresses.getFirst().replaceAll("head 10\\.(\\d+)\\..*", "$1"))
                .toList();

        assertThat(subnets).doesNotHaveDuplicates().allMatch(second -> Integer.parseInt(second) >= 77);
    }

    @Test
    void largeSiteGetsALargeSubnet() {
        var site = Recorded.with(Recorded.demo(3000), Recorded.settings(Recorded.POOL, "freshbr0"));

        var design = Recorded.compile(Recorded.host(Recorded::clear), site, Requirements.NONE);

        assertThat(design.machines().stream()
                        .flatMap(machine -> machine.address().stream())
                        .distinct())
                .hasSize(3001);
    }

    @Test
    void poolOfDriverDirIsRefusedWithCommandsForABetterOne() {
        var snapshot = Recorded.host(tree -> pool(tree).put("driver", "dir"));

        var faults = faults(snapshot, Recorded.demo(1));

        assertThat(faults).extracting(Diagnostic::code).containsExactly(Code.LXD_POOL_DIR);
        assertThat(faults.getFirst().commands()).contains("lxc storage create nova-2 btrfs size=20GiB");
    }

    @Test
    void poolWhoseDriverTheHostLacksIsRefused() {
        var pool = new LxdPool("fast", "zfs", Size.parse("8GiB"), Optional.empty(), Optional.empty());
        var site = Recorded.with(Recorded.demo(0), Recorded.settings(pool, "lxdbr0"));

        var faults = faults(Recorded.host(Recorded::clear), site);

        assertThat(faults).extracting(Diagnostic::code).containsExactly(Code.LXD_POOL_UNUSABLE);
        assertThat(faults.getFirst().why()).contains("zfs").contains("dir, btrfs");
    }

    @Test
    void changedSizeOfOwnPoolIsRefused() {
        var snapshot = Recorded.host(tree -> tags(pool(tree).withObject("config"), "pool/nova"));
        var larger = new LxdPool("nova", "btrfs", Size.parse("30GiB"), Optional.empty(), Optional.empty());

        assertThat(Recorded.compile(snapshot, Recorded.demo(1), Requirements.NONE)
                        .resources())
                .anyMatch(resource -> resource.id().toString().equals("pool/nova"));
        assertThat(faults(snapshot, Recorded.with(Recorded.demo(1), Recorded.settings(larger, "lxdbr0"))))
                .extracting(Diagnostic::code)
                .containsExactly(Code.LXD_POOL_UNUSABLE);
    }

    @Test
    void networkMustBeAManagedBridgeWithDhcp() {
        var unmanaged = Recorded.with(Recorded.demo(1), Recorded.settings(Recorded.POOL, "eth0"));

        assertThat(faults(Recorded.host(), unmanaged).getFirst().why()).contains("not managed by LXD");
        assertThat(faults(Recorded.host(tree -> network(tree).put("ipv4.dhcp", "false")), Recorded.demo(1))
                        .getFirst()
                        .why())
                .contains("DHCP");
        assertThat(faults(Recorded.host(tree -> network(tree).put("ipv4.address", "none")), Recorded.demo(1))
                        .getFirst()
                        .why())
                .contains("no IPv4 subnet");
    }

    @Test
    void movedAliasIsNoChange() {
        var snapshot = hostWhoseAliasMoved();

        var design = Recorded.compile(snapshot, Recorded.demo(2), Recorded.sharedHome());

        assertThat(Recorded.survey(snapshot, Recorded.demo(2)).movedImages(Recorded.demo(2)))
                .containsExactly("debian/12");

        assertThat(Recorded.machine(design, "node-1")).containsEntry("fingerprint", FINGERPRINT);
        assertThat(Recorded.machine(design, "node-2"))
                .as("a new machine is of the same image as its siblings")
                .containsEntry("fingerprint", FINGERPRINT);
    }

    @Test
    void movedAliasCountsOnRequest() {
        var survey = Recorded.survey(hostWhoseAliasMoved(), Recorded.demo(2));

        var design = survey.withImagesOfNow().compile(Recorded.demo(2), Recorded.sharedHome());

        assertThat(List.of("head", "node-1", "node-2"))
                .allSatisfy(name ->
                        assertThat(Recorded.machine(design, name)).containsEntry("fingerprint", "f".repeat(64)));
    }

    @Test
    void unmovedAliasIsNotReported() {
        assertThat(Recorded.survey(Recorded.host(_ -> {}), Recorded.demo(2)).movedImages(Recorded.demo(2)))
                .isEmpty();
    }

    @Test
    void machineOfABakedImageIsOfTheImageThatThisOneIsMadeOf() {
        var snapshot = Recorded.host(
                tree -> ((ObjectNode) tree.withArray("instances").get(1).path("config"))
                        .put("volatile.base_image", "b".repeat(64))
                        .put("user.deepsite.baked-of", FINGERPRINT));
        var survey = Recorded.survey(snapshot, Recorded.demo(2));

        var design = survey.compile(Recorded.demo(2), Recorded.sharedHome());

        assertThat(survey.movedImages(Recorded.demo(2))).isEmpty();
        assertThat(Recorded.machine(design, "node-1")).containsEntry("fingerprint", FINGERPRINT);
        assertThat(Recorded.machine(design, "node-2")).containsEntry("fingerprint", FINGERPRINT);
        assertThat(survey.owned().stream()
                        .filter(seen -> seen.name().equals("demo-node-1"))
                        .map(seen -> seen.attributes().get("fingerprint")))
                .containsExactly(FINGERPRINT);
    }

    @Test
    void bakedImagesAreThoseWithTheProperty() {
        var snapshot = Recorded.host(tree -> {
            var baked = tree.withArray("images").addObject();
            baked.put("fingerprint", "b".repeat(64)).putObject("properties").put("deepsite.baked", "deepsite-1");
            baked.putArray("aliases").addObject().put("name", "deepsite-0123456789abcdef");
        });
        var survey = Recorded.survey(snapshot, Recorded.demo(2));

        var machine = survey.compile(Recorded.demo(2), Recorded.sharedHome()).resources().stream()
                .filter(Resource::isMachine)
                .findFirst()
                .orElseThrow();

        assertThat(survey.bakedImages()).containsExactly("deepsite-0123456789abcdef");
        assertThat(survey.imageOf(machine)).contains(FINGERPRINT);
    }

    private static Snapshot hostWhoseAliasMoved() {
        return Recorded.host(tree -> {
            var images = tree.withArray("images");
            ((ObjectNode) images.get(0)).putArray("aliases");
            images.addObject()
                    .put("fingerprint", "f".repeat(64))
                    .putArray("aliases")
                    .addObject()
                    .put("name", "debian/12");
        });
    }

    @Test
    void otherImageIsAnotherFingerprint() {
        var snapshot = Recorded.host(tree -> tree.withArray("images")
                .addObject()
                .put("fingerprint", "f".repeat(64))
                .putArray("aliases")
                .addObject()
                .put("name", "debian/13"));
        var site = Sites.site("demo", Recorded.settings(), Map.of("head", Sites.single("debian/13", 1, "256MiB")));

        var design = Recorded.compile(snapshot, site, Requirements.NONE);

        assertThat(Recorded.machine(design, "head")).containsEntry("fingerprint", "f".repeat(64));
    }

    @Test
    void missingImageNamesTheCommandThatBuildsIt() {
        var snapshot = Recorded.host(tree -> {
            Recorded.clear(tree);
            tree.putArray("images");
        });

        var faults = faults(snapshot, Recorded.demo(3));

        assertThat(faults).extracting(Diagnostic::code).containsExactly(Code.LXD_IMAGE_MISSING);
        assertThat(faults.getFirst().commands()).containsExactly("deepsite image build debian/12");
    }

    @Test
    void foreignInstanceAndVolumeOfThatNameAreRefusedTogether() {
        var snapshot = Recorded.host(tree -> {
            ((ObjectNode) tree.withArray("instances").get(0).path("config")).remove(Ownership.SITE);
            ((ObjectNode) tree.withObject("volumes").withArray("nova").get(0)).putObject("config");
        });

        var faults = faults(snapshot, Recorded.demo(1), Recorded.sharedHome());

        assertThat(faults).extracting(Diagnostic::code).containsExactly(Code.NAME_TAKEN, Code.NAME_TAKEN);
        assertThat(faults.getFirst().why()).contains("a volume named demo-home");
        assertThat(faults.getLast().why()).contains("an instance named demo-head");
    }

    @Test
    void longNamesAreRefused() {
        var site = Sites.site(
                "s".repeat(40), Recorded.settings(), Map.of("g".repeat(40), Sites.single("debian/12", 1, "256MiB")));

        assertThat(faults(Recorded.host(), site)).extracting(Diagnostic::code).containsExactly(Code.LXD_NAME_TOO_LONG);
    }

    @Test
    void requirementsOfTheClustersBecomeAttributes() {
        var needs = new Group(true, List.of(), List.of("overlay", "br_netfilter"), 1, Optional.empty());
        var site = Recorded.demo(1);

        var design =
                Recorded.compile(Recorded.host(), site, new Requirements(Map.of(new Name("node"), needs), List.of()));

        assertThat(Recorded.machine(design, "node-1"))
                .containsEntry("nesting", "true")
                .containsEntry("modules", "overlay,br_netfilter");
        assertThat(Recorded.machine(design, "head")).doesNotContainKeys("nesting", "modules", "volume.home");
    }

    @Test
    void machineBelowTheMinimumIsRefused() {
        var needs = new Group(false, List.of(), List.of(), 2, Optional.of(Size.parse("1GiB")));

        var faults =
                faults(Recorded.host(), Recorded.demo(1), new Requirements(Map.of(new Name("head"), needs), List.of()));

        assertThat(faults).extracting(Diagnostic::code).containsExactly(Code.MACHINE_TOO_SMALL, Code.MACHINE_TOO_SMALL);
    }

    @Test
    void machinesAreContainersWithTheAttributesOfTheSite() {
        var design = Recorded.compile(Recorded.host(), Recorded.demo(1), Recorded.sharedHome());

        assertThat(design.machines())
                .allMatch(Machine::container)
                .extracting(Machine::memoryMebibytes)
                .containsOnly(256L);
        assertThat(design.machines()).extracting(Machine::provider).containsOnly("lxd");
    }

    private static List<String> addresses(Design design) {
        return design.machines().stream()
                .map(machine -> machine.name() + " " + machine.address().orElse("none"))
                .toList();
    }

    private static List<Diagnostic> faults(Snapshot snapshot, Site site) {
        return faults(snapshot, site, Requirements.NONE);
    }

    private static List<Diagnostic> faults(Snapshot snapshot, Site site, Requirements requirements) {
        var failure = catchThrowableOfType(Failure.class, () -> Recorded.compile(snapshot, site, requirements));
        assertThat(failure).isNotNull();
        return failure.diagnostics();
    }

    private static ObjectNode network(ObjectNode tree) {
        return (ObjectNode) tree.withArray("networks").get(0).path("config");
    }

    private static ObjectNode pool(ObjectNode tree) {
        return (ObjectNode) tree.withArray("pools").get(0);
    }

    private static void tags(ObjectNode config, String id) {
        config.put(Ownership.SITE, "demo").put(Ownership.ID, id).put(Ownership.LINEAGE, "x");
    }
}
