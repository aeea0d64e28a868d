package io.deepsite.site.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.TestSites;
import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.site.Name;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExamplesTest {

    static List<Path> examples() throws IOException {
        try (var folders = Files.list(Path.of("../site-examples"))) {
            return folders.filter(Files::isDirectory).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleLoadsAndIsDescribed(Path folder) {
        var result = TestSites.load(folder.resolve("site.yaml"), Map.of());

        assertThat(result.diagnostics())
                .allSatisfy(note -> assertThat(note.code()).isEqualTo(Code.EXPERIMENTAL));
        assertThat(folder.resolve("README.md")).isNotEmptyFile();
    }

    @Test
    void quickstartIsTheSmallestWholeCluster() {
        var site = TestSites.load(Path.of("../site-examples/quickstart/site.yaml"), Map.of())
                .orFail();

        assertThat(site.machineNames(new Name("head"))).containsExactly("head");
        assertThat(site.machineNames(new Name("node"))).containsExactly("node-1", "node-2");
        assertThat(site.clusters()).hasSize(1);
    }

    @Test
    void everyTemplateLoads() {
        for (String provider : TestSites.ALL.model().providers()) {
            for (var kind : Stream.concat(Stream.of(""), TestSites.ALL.model().kinds().stream())
                    .toList()) {
                if (kind.equals("opennebula") && List.of("lxd", "incus").contains(provider)) {
                    continue;
                }
                String text = SiteTemplate.text(
                        TestSites.ALL.model(),
                        Optional.of(kind).filter(k -> !k.isEmpty()),
                        provider,
                        new Name("lab"),
                        "site.yaml");

                assertThat(TestSites.load("site.yaml", text, Map.of()).diagnostics())
                        .isEmpty();
            }
        }
    }

    @Test
    void offersNoCloudOfVirtualMachinesInContainers() {
        assertThatThrownBy(() -> SiteTemplate.text(
                        TestSites.ALL.model(), Optional.of("opennebula"), "lxd", new Name("lab"), "site.yaml"))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("containers");
    }

    @Test
    void refusesAnUnknownKind() {
        assertThatThrownBy(() -> SiteTemplate.text(
                        TestSites.ALL.model(), Optional.of("slrum"), "lxd", new Name("lab"), "site.yaml"))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("slrum");
    }
}
