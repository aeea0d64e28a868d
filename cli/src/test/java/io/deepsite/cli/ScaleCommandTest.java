package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScaleCommandTest {
    private static final String ONE = "machines:\n  box: {count: 1, image: debian/12, cpus: 1, memory: 1GiB} # ours\n";

    @TempDir
    private Path folder;

    /** A ^C there ends the process at once, so the file could not be restored. */
    @Test
    void fileIsUnchangedUntilTheAnswer() throws Exception {
        try (var story = new FaultStory(folder)) {
            var then = new ArrayList<String>();
            story.siteOf(ONE).answering("n");
            story.onWord("Apply this?", () -> then.add(story.read("site.yaml")));

            story.fails(130, "scale", "--site", "site.yaml", "box=2");

            assertThat(then).singleElement().asString().contains(ONE);
            assertThat(story.read("site.yaml")).contains(ONE);
        }
    }

    @Test
    void newCountIsWrittenToTheFile() throws Exception {
        try (var story = new FaultStory(folder)) {
            story.siteOf(ONE).does("scale", "--site", "site.yaml", "box=2", "--yes");

            assertThat(story.read("site.yaml")).contains(ONE.replace("count: 1", "count: 2"));
            assertThat(story.lxd.ours()).hasSize(2);
        }
    }
}
