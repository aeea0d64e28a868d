package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderContractTest;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.Site;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The contract against a real daemon, with its bridge, its pool nova and its image debian/12. */
abstract class DaemonContractTest extends ProviderContractTest {
    private final DaemonSettings settings;
    private final RealLxd lxd;

    private static final Comparator<Resource> BY_NEED =
            Comparator.comparing(resource -> resource.dependsOn().size());

    /** @param settings of the daemon, with that pool and its bridge */
    DaemonContractTest(DaemonSettings settings) {
        this.settings = settings;
        this.lxd = new RealLxd(settings);
    }

    /** The same daemon with another pool and another bridge. */
    abstract DaemonSettings other(String pool, String network);

    private static Provider open(DaemonSettings settings) {
        return switch (settings) {
            case LxdSettings its -> new LxdProviderFactory().open(its, Path.of(""));
            case IncusSettings its -> new IncusProviderFactory().open(its, Path.of(""));
        };
    }

    @Override
    protected Provider open() {
        return open(settings);
    }

    @Override
    protected ProviderSettings settings() {
        return settings;
    }

    @Override
    protected String image() {
        return "debian/12";
    }

    @Override
    protected Optional<String> readFile(String backEndName, String path) {
        return lxd.file(backEndName, path);
    }

    /** The site of the contract has no pool or bridge of its own. */
    @Override
    protected Set<String> released() {
        return Set.of(VolumeAttributes.KIND);
    }

    @Override
    protected Optional<String> standing(ObservedResource seen) {
        var pools = new Pools(lxd.rest());
        return (switch (seen.id().kind()) {
                    case PoolAttributes.KIND ->
                        pools.find(seen.name()).map(found -> found.value().config());
                    case NetworkAttributes.KIND ->
                        new Networks(lxd.rest())
                                .find(seen.name())
                                .map(found -> found.value().config());
                    default ->
                        pools.findVolume(seen.attributes().get(VolumeAttributes.POOL), seen.name())
                                .map(found -> found.value().config());
                })
                .map(String::valueOf);
    }

    @Override
    protected void removeReleased(ObservedResource seen) {
        var pools = new Pools(lxd.rest());
        switch (seen.id().kind()) {
            case PoolAttributes.KIND -> pools.delete(seen.name());
            case NetworkAttributes.KIND -> new Networks(lxd.rest()).delete(seen.name());
            default -> pools.deleteVolume(seen.attributes().get(VolumeAttributes.POOL), seen.name());
        }
    }

    @Override
    protected void makeHalf(Resource machine, Tags tags) {
        var config = new LinkedHashMap<>(new Ownership(machine.id(), tags, "default").config());
        config.putAll(MachineAttributes.config(machine));
        lxd.instances()
                .create(
                        new Instances.New(
                                machine.name(),
                                "container",
                                Optional.empty(),
                                image(machine),
                                List.of(),
                                config,
                                MachineAttributes.devices(machine)),
                        Call.QUIET);
    }

    private static Map<String, String> image(Resource machine) {
        return Map.of("fingerprint", machine.values().getOrDefault(MachineAttributes.FINGERPRINT, ""));
    }

    @Override
    protected boolean bakesImages() {
        return true;
    }

    @Override
    protected void makeForeign(Resource machine) {
        var devices = new TreeMap<>(MachineAttributes.devices(machine));
        devices.keySet().removeIf(device -> !device.equals("root"));
        lxd.instances()
                .create(
                        new Instances.New(
                                machine.name(),
                                "container",
                                Optional.empty(),
                                image(machine),
                                List.of(),
                                Map.of(),
                                devices),
                        Call.QUIET);
    }

    @Override
    protected void removeForeign(Resource machine) {
        lxd.instances().delete(machine.name(), Call.QUIET);
    }

    @Test
    void machineHasItsAddressAndItsOwnName() {
        var site = site("a", 1, "256MiB");
        var design = compile(site);
        createAll(design, tags(site));

        var head = design.machines().getFirst();
        var node = design.machines().get(1);

        assertThat(head.address()).isPresent().isNotEqualTo(node.address());
        assertThat(head.address()).hasValue(lxd.waitForAddress(site.name() + "-head"));
        assertThat(lxd.file(site.name() + "-node-1", "/etc/hosts"))
                .hasValueSatisfying(hosts -> assertThat(hosts).contains("127.0.1.1 node-1"));
        assertThat(provider().consoleLog(head.name(), site.name())).isNotNull();
    }

    @Test
    void makesAndDeletesItsOwnPoolAndBridge() {
        var own = other("ct-pool", "ct-br0");
        var plain = site("b", 2, "256MiB");
        var site = new Site(
                plain.name(),
                own,
                plain.lease(),
                plain.machines(),
                plain.clusters(),
                plain.users(),
                plain.usersFrom(),
                plain.directory(),
                plain.volumes(),
                plain.ssh(),
                plain.verify(),
                plain.parameters(),
                plain.mirrors(),
                plain.proxy(),
                plain.state());
        try (var provider = open(own)) {
            var design = provider.survey(new OneSite(site.name())).compile(site, requirements());
            assertThat(design.resources())
                    .extracting(resource -> resource.id().toString())
                    .contains("pool/ct-pool", "network/ct-br0", "volume/home", "instance/head");

            // The pool has no copy of the image yet, and three machines need it at once.
            design.resources().stream()
                    .filter(resource -> !resource.isMachine())
                    .sorted(BY_NEED)
                    .forEach(resource -> create(resource, tags(site)));
            design.resources().parallelStream()
                    .filter(Resource::isMachine)
                    .forEach(resource -> create(resource, tags(site)));
            assertThat(provider.survey(new OneSite(site.name())).compile(site, requirements()))
                    .isEqualTo(design);

            var owned = provider.survey(new OneSite(site.name())).owned();
            owned.forEach(seen -> provider.retag(
                    seen,
                    Optional.of(new Tags.Lease(Instant.parse("2031-01-01T00:00:00Z"), Optional.empty())),
                    Call.QUIET));
            assertThat(provider.survey(new OneSite(site.name())).owned())
                    .extracting(seen -> seen.tags().expiresAt())
                    .containsOnly(Optional.of(Instant.parse("2031-01-01T00:00:00Z")));
            owned.forEach(seen -> provider.retag(seen, Optional.empty(), Call.QUIET));
            assertThat(provider.survey(new OneSite(site.name())).owned()).isEqualTo(owned);

            var shared = owned.stream()
                    .filter(seen -> !seen.id().kind().equals(ResourceId.MACHINE)
                            && !seen.id().kind().equals(VolumeAttributes.KIND))
                    .toList();
            assertThat(shared).hasSize(2);
            owned.stream()
                    .filter(seen -> !shared.contains(seen))
                    .sorted(Comparator.comparingInt(ObservedResource::removal))
                    .forEach(seen -> provider.delete(seen, Call.QUIET));
            try {
                shared.forEach(seen -> provider.release(seen, Call.QUIET));
                assertThat(provider.survey(new OneSite(site.name())).owned()).isEmpty();
                assertThat(shared)
                        .allSatisfy(seen -> assertThat(standing(seen))
                                .hasValueSatisfying(config -> assertThat(config).doesNotContain("user.deepsite")));
            } finally {
                shared.forEach(this::removeReleased);
            }
        }
    }
}
