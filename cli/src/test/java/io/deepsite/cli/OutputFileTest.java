package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFileTest {
    @TempDir
    private Path folder;

    @Test
    void existingFileIsOverwritten() throws Exception {
        var site = Files.writeString(folder.resolve("site.yaml"), "site: lab\n");
        var plan = Files.writeString(folder.resolve("plan.json"), "old");

        OutputFile.write(plan, site, "new");

        assertThat(plan).hasContent("new");
    }

    @Test
    void siteFileIsNotOverwritten() throws Exception {
        var site = Files.writeString(folder.resolve("site.yaml"), "site: lab\n");
        var link = Files.createSymbolicLink(folder.resolve("lab.yaml"), site);

        assertThatThrownBy(() -> OutputFile.write(link, site, "new"))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("is the site file itself");
        assertThat(site).hasContent("site: lab\n");
    }
}
