package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SiteWordsTest {
    private final Bench bench = new Bench();

    @Test
    void siteOfTheCurrentFolderIsNotNamed() {
        assertThat(typed("site.yaml", Map.of(), "deepsite apply")).isEqualTo("deepsite apply");
    }

    @Test
    void otherSiteFileIsNamedWhereTheVerbExpectsIt() {
        assertThat(typed("lab/site.yaml", Map.of(), "deepsite apply --allow reboot"))
                .isEqualTo("deepsite apply lab/site.yaml --allow reboot");
        assertThat(typed("lab/site.yaml", Map.of(), "deepsite unlock 17"))
                .isEqualTo("deepsite unlock --site lab/site.yaml 17");
        assertThat(typed("lab/site.yaml", Map.of(), "deepsite state rm old"))
                .isEqualTo("deepsite state rm --site lab/site.yaml old");
        assertThat(typed("lab/site.yaml", Map.of(), "deepsite lease extend 2h"))
                .isEqualTo("deepsite lease extend --site lab/site.yaml 2h");
        assertThat(typed("lab/site.yaml", Map.of(), "deepsite run hpc -- hostname"))
                .isEqualTo("deepsite run --site lab/site.yaml hpc -- hostname");
    }

    @Test
    void parametersAreAdded() {
        assertThat(typed("site.yaml", Map.of("nodes", "4", "title", "my lab"), "deepsite plan"))
                .isEqualTo("deepsite plan --set nodes=4 --set 'title=my lab'");
    }

    @Test
    void theStoreIsAddedWhereTheVerbReadsRecords() {
        var words = new SiteWords(Path.of("site.yaml"), Map.of(), "postgresql://db/sites");

        assertThat(words.complete(bench.workplace(), "deepsite unlock 17"))
                .isEqualTo("deepsite unlock --store postgresql://db/sites 17");
        assertThat(words.complete(bench.workplace(), "deepsite version")).isEqualTo("deepsite version");
    }

    @Test
    void folderWithABlankIsQuoted() {
        assertThat(typed("my lab/site.yaml", Map.of(), "deepsite status"))
                .isEqualTo("deepsite status 'my lab/site.yaml'");
    }

    @Test
    void completeAndForeignCommandsAreUnchanged() {
        assertThat(typed("lab/site.yaml", Map.of("nodes", "4"), "deepsite apply --set nodes=3 lab/site.yaml --yes"))
                .isEqualTo("deepsite apply --set nodes=3 lab/site.yaml --yes");
        assertThat(typed("lab/site.yaml", Map.of(), "ssh -v root@10.0.0.1")).isEqualTo("ssh -v root@10.0.0.1");
        assertThat(typed("lab/site.yaml", Map.of(), "deepsite version")).isEqualTo("deepsite version");
    }

    private String typed(String file, Map<String, String> set, String command) {
        return new SiteWords(Path.of(file), set, "").complete(bench.workplace(), command);
    }
}
