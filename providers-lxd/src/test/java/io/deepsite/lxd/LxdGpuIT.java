package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Machine.Gpu;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Provider;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Sites;
import io.deepsite.provider.Tags;
import io.deepsite.provider.Tags.Scope.AllSites;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/**
 * Cards through LXD's own code: listing, attaching, its checks at start. The cards are simulated, so this does not prove
 * that a program computes on one.
 */
@ExtendWith(GpuDaemon.class)
final class LxdGpuIT {
    private final Provider provider = new LxdProviderFactory().open(GpuDaemon.settings(), Path.of(""));
    private final RealLxd lxd = new RealLxd(GpuDaemon.settings());

    @AfterEach
    void cleanUp() {
        provider.survey(new AllSites()).owned().forEach(seen -> provider.delete(seen, Call.QUIET));
        provider.close();
    }

    @Test
    void machinesGetTheirCardsAndNoneTwice() {
        var groups = new LinkedHashMap<String, MachineGroup>();
        groups.put("any", Sites.single("debian/12", 1, "256MiB", nvidia(Optional.empty())));
        groups.put("new", Sites.single("debian/12", 1, "256MiB", nvidia(Optional.of("h100"))));
        var site = Sites.site("ct-gpu", GpuDaemon.settings(), groups);
        var design = create(site);

        var cards = design.machines().stream()
                .flatMap(machine -> machine.gpus().stream())
                .toList();
        assertThat(cards).extracting(Gpu::pci).containsExactly("0000:17:00.0", "0000:65:00.0");
        assertThat(design.machines())
                .allSatisfy(machine -> assertThat(
                                device(site, machine, machine.gpus().getFirst().device()))
                        .exists());
        assertThat(device(site, design.machines().getFirst(), "/dev/nvidia1")).doesNotExist();
        assertThat(compile(site)).isEqualTo(design);

        var greedy = Sites.site(
                "ct-other",
                GpuDaemon.settings(),
                Map.of("x", Sites.many("debian/12", 2, 1, "256MiB", nvidia(Optional.empty()))));
        assertThatThrownBy(() -> compile(greedy))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS2112")
                .hasMessageContaining("used by ct-gpu-any");
    }

    @Test
    void cardIsAddedToARunningMachineByARestart() {
        var name = "ct-gpu";
        create(Sites.site(name, GpuDaemon.settings(), Map.of("m", Sites.single("debian/12", 1, "256MiB"))));
        var withCard = Sites.site(
                name,
                GpuDaemon.settings(),
                Map.of("m", Sites.single("debian/12", 1, "256MiB", nvidia(Optional.of("k20m")))));
        var design = compile(withCard);

        provider.update(owned(withCard).getFirst(), design.resources().getFirst(), Call.QUIET);

        assertThat(owned(withCard).getFirst().attributes())
                .isEqualTo(design.resources().getFirst().values());
        assertThat(owned(withCard).getFirst().condition()).isEqualTo(ObservedResource.Condition.READY);
        assertThat(device(withCard, design.machines().getFirst(), "/dev/nvidia0"))
                .exists();
    }

    @Test
    void missingCardAtStartIsAClearFault() {
        var site = Sites.site(
                "ct-gpu",
                GpuDaemon.settings(),
                Map.of("m", Sites.single("debian/12", 1, "256MiB", nvidia(Optional.of("k20m")))));
        var machine = compile(site).resources().getFirst();
        var attributes = new TreeMap<>(machine.attributes());
        attributes.put("gpu0", MachineAttributes.attribute("gpu0", "0000:99:00.0"));
        var impossible = new Resource(machine.id(), machine.name(), attributes, machine.dependsOn());

        assertThatThrownBy(() -> provider.create(impossible, tags(site), Boot.NONE, Call.QUIET))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS2113")
                .hasMessageContaining("marked half made");

        provider.create(machine, tags(site), Boot.NONE, Call.QUIET);
        assertThat(owned(site).getFirst().condition()).isEqualTo(ObservedResource.Condition.READY);
    }

    private Design create(Site site) {
        var design = compile(site);
        design.resources().forEach(resource -> provider.create(resource, tags(site), Boot.NONE, Call.QUIET));
        return design;
    }

    private Design compile(Site site) {
        return provider.survey(new OneSite(site.name())).compile(site, Requirements.NONE);
    }

    private List<ObservedResource> owned(Site site) {
        return provider.survey(new OneSite(site.name())).owned();
    }

    private static Tags tags(Site site) {
        return new Tags(site.name(), "l1", Optional.empty());
    }

    /** A file of a running machine, read from the host. */
    private Path device(Site site, Machine machine, String path) {
        var state = lxd.rest()
                .get(lxd.rest().path("instances", site.name() + "-" + machine.name(), "state"), JsonNode.class);
        var root = Path.of("/proc", state.path("pid").asString(), "root");
        assertThat(Files.exists(root)).isTrue();
        return root.resolve(path.substring(1));
    }

    private static GpuRequest nvidia(Optional<String> model) {
        return new GpuRequest(Optional.of(new Name("nvidia")), model, 1, List.of(), Optional.empty());
    }
}
