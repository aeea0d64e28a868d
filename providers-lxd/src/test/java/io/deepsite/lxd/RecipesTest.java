package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.provider.Call;
import io.deepsite.remote.Executable;
import io.deepsite.site.ImageName;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecipesTest {
    @TempDir
    private Path folder;

    @Test
    void passesReleaseAndFolderAndShowsTheOutputOfTheScript() throws IOException {
        recipe("echo \"$1|$2|$3\"");
        var said = new CopyOnWriteArrayList<String>();

        var built = new Recipes(folder).build(new ImageName("tiny/1.0"), folder, telling(said));

        assertThat(said).containsExactly("build|1.0|" + folder);
        assertThat(built.rootfs()).isEqualTo(folder.resolve("rootfs.squashfs"));
    }

    @Test
    void failureHoldsTheLastOutputOfTheScript() throws IOException {
        recipe("seq 1 40; echo no mirror >&2; exit 3");

        assertThatThrownBy(() -> new Recipes(folder).build(new ImageName("tiny/1"), folder, Call.QUIET))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS2111")
                .hasMessageContaining("status 3")
                .hasMessageContaining("40\nno mirror")
                .hasMessageNotContaining("\n5\n");
    }

    @Test
    void unknownImageListsTheRecipes() throws IOException {
        recipe("exit 0");

        for (var name : List.of("other/1", "tiny", "tiny/../1", "tiny/1/2")) {
            assertThatThrownBy(() -> new Recipes(folder).build(new ImageName(name), folder, Call.QUIET))
                    .as(name)
                    .isInstanceOf(Failure.class)
                    .hasMessageContaining("no recipe for " + name)
                    .hasMessageContaining("tiny/<release>");
        }
    }

    @Test
    void cancelEndsTheScript() throws IOException {
        recipe("exec sleep 600");
        var cancelled = new Call() {
            @Override
            public void progress(String what) {}

            @Override
            public boolean cancelled() {
                return true;
            }
        };

        assertThatThrownBy(() -> new Recipes(folder).build(new ImageName("tiny/1"), folder, cancelled))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("was cancelled");
    }

    private static Call telling(List<String> said) {
        return new Call() {
            @Override
            public void progress(String what) {
                said.add(what);
            }

            @Override
            public boolean cancelled() {
                return false;
            }
        };
    }

    private void recipe(String body) throws IOException {
        Executable.write(folder.resolve("tiny"), "#!/bin/sh\n" + body + "\n");
    }
}
