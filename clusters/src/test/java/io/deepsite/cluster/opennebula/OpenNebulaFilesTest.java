package io.deepsite.cluster.opennebula;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.render.ContractRenderer;
import io.deepsite.render.ContractRenderer.Rendered;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Site;
import io.deepsite.site.load.Golden;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The files of a cloud's machines, as golden files; {@code testbed/opennebula/parsers} reads them with the programs
 * that use them, or with lenses made for them.
 */
class OpenNebulaFilesTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/opennebula");
    private static final DeepsiteHome HOME = DeepsiteHome.find();
    private static final ContractRenderer ROLES = new ContractRenderer(HOME, new TemplateRenderer(HOME));
    private static final String KEYS = """
            passthrough: [{vendor: "10de", class: "0302"}]
            vmTemplates:
              small: {image: debian-12, network: private}
              gpu:
                cpus: 8
                memory: 32GiB
                image: debian-12
                network: lab
                machine: q35
                firmware: /usr/share/OVMF/OVMF_CODE.fd
                pci: [{vendor: "10de", device: "1b38"}, {vendor: "10de"}]
              exact: {image: debian-12, pci: [{shortAddress: "3b:00.0"}]}
            datastores:
              fast: {driver: qcow2}
              disks: {holds: system, driver: qcow2}
            """;

    @ParameterizedTest
    @ValueSource(strings = {"6.10", "7.0"})
    void areTheseOfThisRelease(String release) throws IOException {
        var site = OpenNebulaSite.site(release, KEYS);

        for (var host : List.of("front", "kvm-1")) {
            var folder = GOLDEN.resolve(release).resolve(host);
            for (var rendered : roles(site, host)) {
                for (var item : rendered.contract().items()) {
                    if (item instanceof Item.File file && !file.path().startsWith("/usr/local/")) {
                        Golden.assertSame(
                                folder.resolve(file.path().substring(1)), Marker.masked(text(rendered, file)));
                    } else if (item instanceof Item.Line line) {
                        Golden.assertSame(folder.resolve(line.path().substring(1)), Marker.masked(line.block()));
                    }
                }
            }
        }
    }

    @Test
    void thePrivateKeyIsOnTheFrontEndAlone() {
        var site = OpenNebulaSite.site("6.10", "");

        assertThat(secretFiles(site, "front")).contains("/var/lib/one/.ssh/id_ed25519", "/var/lib/one/.one/one_auth");
        assertThat(secretFiles(site, "kvm-1")).containsExactly("/var/lib/one/.ssh/authorized_keys");
        assertThat(texts(site, "kvm-1"))
                .noneMatch(text -> text.contains(Marker.secret("opennebula_cloud_ssh_key")))
                .anyMatch(text -> text.contains(Marker.publicKey("opennebula_cloud_ssh_key")));
    }

    @Test
    void everyConnectionOfOneadminIsChecked() {
        var site = OpenNebulaSite.site("6.10", "");

        for (var host : List.of("front", "kvm-1", "gpu-1")) {
            assertThat(texts(site, host))
                    .anyMatch(text -> text.contains("StrictHostKeyChecking yes"))
                    .anyMatch(text -> text.contains("[kvm-2]:2222,[10.0.0.12]:2222 ")
                            && text.contains("front,10.0.0.1 ")
                            && text.contains("gpu-1,10.0.0.21 "));
        }
    }

    private static List<String> secretFiles(Site site, String host) {
        return roles(site, host).stream()
                .map(Rendered::contract)
                .map(Contract::items)
                .flatMap(List::stream)
                .filter(item -> item instanceof Item.File file && file.secret())
                .map(item -> ((Item.File) item).path())
                .toList();
    }

    private static List<String> texts(Site site, String host) {
        return roles(site, host).stream()
                .flatMap(rendered -> rendered.texts().values().stream())
                .toList();
    }

    private static String text(Rendered rendered, Item.File file) {
        var text = rendered.texts().get(file.body());
        assertThat(text).as(file.path()).isNotNull();
        return text == null ? "" : text;
    }

    private static List<Rendered> roles(Site site, String host) {
        var machines = OpenNebulaSite.machines();
        var machine = machines.stream()
                .filter(each -> each.name().equals(host))
                .findFirst()
                .orElseThrow();
        var rendered = new ArrayList<Rendered>();
        for (var stage : TestSites.stages(site, machines)) {
            var variables = stage.variables().get(host);
            if (variables != null && stage.role().startsWith("opennebula_")) {
                rendered.add(ROLES.render(stage.role(), machine, new SiteScope(machines), variables));
            }
        }
        return rendered;
    }
}
