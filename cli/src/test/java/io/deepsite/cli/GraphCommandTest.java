package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.site.load.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

/** No back-end answers here, and no site was applied. */
class GraphCommandTest {
    private static final Path EXAMPLES = Path.of("../site-examples");
    private static final Path PICTURES = Path.of("../docs/pictures");
    private static final Path GOLDEN = Path.of("src/test/resources/golden/graph");

    private final Bench bench = new Bench();

    @TempDir
    private Path folder;

    static Stream<Path> examples() throws IOException {
        try (var folders = Files.list(EXAMPLES)) {
            return folders.filter(Files::isDirectory).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void drawsEveryExample(Path example) {
        var file = example.resolve("site.yaml");
        var site = file.toString();

        assertThat(bench.run("graph", site)).as(bench.err()).isZero();
        assertThat(bench.out()).startsWith("flowchart");
        assertThat(bench.run("graph", site, "--format", "dot")).isZero();
        var picture = folder.resolve("site.svg");
        assertThat(bench.run("graph", site, "--format", "svg", "-o", picture.toString()))
                .isZero();
        assertThat(picture).content().satisfies(WellFormed::isAlone);
    }

    /** Those that the guides show. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "quickstart",
                "slurm-openstack",
                "kubernetes-gpu",
                "mesos-gpu",
                "opennebula-passthrough",
                "nova-lxd-multinode",
                "lxd-gpu-host"
            })
    void theGuidesShowWhatItDraws(String example) {
        bench.run("graph", EXAMPLES.resolve(example).resolve("site.yaml").toString(), "--format", "svg");

        Golden.assertSame(PICTURES.resolve(example + ".svg"), bench.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"mermaid", "dot"})
    void writesWhatOtherProgramsDraw(String format) {
        bench.run("graph", EXAMPLES.resolve("slurm-gpu/site.yaml").toString(), "--format", format);

        Golden.assertSame(GOLDEN.resolve("slurm-gpu." + format), bench.out());
    }

    @Test
    void aThousandEqualMachinesAreOneCard() throws IOException {
        var small = drawn(3);
        var large = drawn(2000);

        assertThat(large).contains("node-[1-2000]", "× 2000").hasSizeLessThan(small.length() + 100);
    }

    @Test
    void aPictureHasWordsForThoseWhoDoNotSeeIt() throws IOException {
        var picture = WellFormed.read(drawn(3)).getDocumentElement();

        assertThat(picture.getAttribute("role")).isEqualTo("img");
        assertThat(List.of(picture.getAttribute("aria-labelledby").split(" ")))
                .containsExactly("picture-title", "picture-description");
        assertThat(WellFormed.elements(picture.getOwnerDocument(), "desc"))
                .extracting(Element::getTextContent)
                .containsExactly("Machines made with lxd: head; node-[1-3]. Clusters: hpc (slurm).");
    }

    private String drawn(int nodes) throws IOException {
        var bench = new Bench();
        var file = Files.writeString(folder.resolve("site.yaml"), """
                apiVersion: deepsite/v1
                site: lab
                provider: {lxd: {pool: {name: nova}}}
                machines:
                  head: {image: debian/12, cpus: 2, memory: 2GiB}
                  node: {image: debian/12, count: %d}
                clusters:
                  hpc: {kind: slurm, controller: head, compute: [node]}
                """.formatted(nodes));
        assertThat(bench.run("graph", file.toString(), "--format", "svg"))
                .as(bench.err())
                .isZero();
        return bench.out();
    }
}
