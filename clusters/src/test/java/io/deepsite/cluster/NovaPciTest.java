package io.deepsite.cluster;

import io.deepsite.TestSites;
import io.deepsite.cluster.opennebula.OpenNebulaSite;
import io.deepsite.contract.Item;
import io.deepsite.render.ContractRenderer;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The file beside nova.conf, by release. Nova's own reader (26.2, of Debian 12) accepted the one of Zed. */
class NovaPciTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/nova-pci");

    @ParameterizedTest
    @ValueSource(strings = {"yoga", "zed"})
    void configuresTheDevicesThatNovaMayAssign(String release) throws Exception {
        var site = TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: compute
                        provider: {static: {inventory: hosts.yml}}
                        machines:
                          kvm:
                            passthrough:
                              - {kind: "10de:2204"}
                              - {address: "0000:01:00.0"}
                              - {address: "0000:03:00.0", virtualFunctions: 4}
                            nova: %s
                        """.formatted(release), Map.of()).orFail();
        var machine = OpenNebulaSite.machines().stream()
                .filter(each -> each.group().value().equals("kvm"))
                .findFirst()
                .orElseThrow();
        var stage = TestSites.stages(site, List.of(machine), Map.of(machine.name(), SampleBus.of("DMAR")))
                .getFirst();
        var home = DeepsiteHome.find();

        var rendered = new ContractRenderer(home, new TemplateRenderer(home))
                .render(
                        stage.role(),
                        machine,
                        new SiteScope(List.of(machine)),
                        Objects.requireNonNull(stage.variables().get(machine.name())));

        var file = rendered.contract().items().stream()
                .filter(item -> item instanceof Item.File each && each.path().startsWith("/etc/nova"))
                .map(Item.File.class::cast)
                .findFirst()
                .orElseThrow();
        Golden.assertSame(
                GOLDEN.resolve(release + ".conf"),
                Objects.requireNonNull(rendered.texts().get(file.body())));
    }
}
