package io.deepsite.site.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.site.Name;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScalarEditTest {
    private static final Name NODE = new Name("node");

    private static String count(String text, int count) {
        return ScalarEdit.count("site.yaml", text, NODE, count);
    }

    @Test
    void changesTheNumberAndNothingElse() {
        String before = """
                # Größe: 🂡
                machines:   # all of them
                  node: {image: debian/12,   count: 2 , memory: 1GiB}  # two
                """;

        assertThat(count(before, 12)).isEqualTo(before.replace("count: 2 ", "count: 12 "));
    }

    @Test
    void changesANumberInABlock() {
        String before = "machines:\n  node:\n    image: debian/12\n    count:  2   # enough\n    cpus: 1\n";

        assertThat(count(before, 3)).isEqualTo(before.replace("2   #", "3   #"));
    }

    @Test
    void addsTheKeyInTheStyleOfTheGroup() {
        assertThat(count("machines:\n  node: {image: a}\n", 3)).isEqualTo("machines:\n  node: {count: 3, image: a}\n");
        assertThat(count("machines:\n  node: {}  # empty\n", 3)).isEqualTo("machines:\n  node: {count: 3}  # empty\n");
        assertThat(count("machines:\r\n  node:\r\n    # why\r\n    image: a\r\n", 3))
                .isEqualTo("machines:\r\n  node:\r\n    # why\r\n    count: 3\r\n    image: a\r\n");
    }

    @Test
    void refusesWhatStandsElsewhere() {
        assertThatThrownBy(() -> count("machines:\n  node: {count: \"${nodes}\"}\n", 3))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("--set");
        assertThatThrownBy(() -> count("machines:\n  head: &a {image: a}\n  node: *a\n", 3))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("alias");
        assertThatThrownBy(() -> count("machines:\n  nodes: {image: a}\n", 3))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("no group node");
        assertThatThrownBy(() -> count("machines: [\n", 3)).isInstanceOf(Failure.class);
    }

    @Test
    void writesInOneStepAndKeepsTheRights(@TempDir Path folder) throws IOException {
        var file = Files.writeString(folder.resolve("site.yaml"), "old");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));
        var link = Files.createSymbolicLink(folder.resolve("link.yaml"), file);

        ScalarEdit.write(link, "new");

        assertThat(file).hasContent("new");
        assertThat(link).isSymbolicLink();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-r-----");
        try (var files = Files.list(folder)) {
            assertThat(files).hasSize(2);
        }
    }
}
