package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.state.FileStores;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class OfflineRenderCheckTest {
    static List<Path> examples() throws IOException {
        try (var folders = Files.list(Path.of("../site-examples"))) {
            return folders.filter(Files::isDirectory).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("examples")
    void findsNothingWrongWithAnExample(Path folder) {
        var file = folder.resolve("site.yaml");
        var site = TestSites.load(file, Map.of()).orFail();
        var runtime = new RuntimeContext(
                DeepsiteHome.find(),
                "test",
                Map.of(),
                folder,
                folder.resolve("root"),
                InstantSource.system(),
                SshTimes.USUAL,
                TestSites.ALL,
                FileStores::new,
                _ -> {});

        assertThat(OfflineRenderCheck.faults(site, file, runtime)).isEmpty();
    }
}
