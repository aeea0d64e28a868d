package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileLastResultsTest extends LastResultsContractTest {
    @TempDir
    Path folder;

    @Override
    protected LastResults open() {
        return new FileLastResults(new StateFolder(folder.resolve("lab")));
    }

    @Override
    protected void record() {
        new FileStateStore(new StateFolder(folder.resolve("lab")))
                .write(SiteState.fresh("lab", "0.1.0").withLineage("lineage"));
    }

    @Test
    void areWhereTheFormerVersionKeptThem() {
        record();
        open().keep("verify", "{}");

        assertThat(folder.resolve("lab/last-verify.json")).hasContent("{}");
    }
}
