package io.deepsite.site.load;

import io.deepsite.Fuzz;
import io.deepsite.TestSites;
import io.deepsite.cluster.mesos.WorkLoader;
import io.deepsite.diag.Failure;
import io.deepsite.site.Name;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Readers of files written by people. */
class SiteFuzzTest {
    @Test
    void aSiteGivesDiagnosticsOrASite() throws IOException {
        Fuzz.run("site.yaml", texts("site.yaml", "src/test/resources/golden", "../site-examples"), text -> {
            var result = TestSites.load("site.yaml", text, Map.of("nodes", "3"));
            boolean isError = result.diagnostics().stream().anyMatch(each -> each.isError());
            if (result.site().isPresent() == isError) {
                throw new IllegalStateException("site and diagnostics disagree: " + result.diagnostics());
            }
        });
    }

    @Test
    void anEditedCountGivesAFailureOrAText() throws IOException {
        Fuzz.run(
                "scale",
                texts("site.yaml", "../site-examples"),
                text -> ScalarEdit.count("site.yaml", text, new Name("node"), 3),
                Failure.class);
    }

    @Test
    void workGivesAFailureOrWork() throws IOException {
        Fuzz.run(
                "work",
                texts(".yaml", "src/test/resources/golden/work"),
                text -> {
                    for (var framework : WorkLoader.Framework.values()) {
                        WorkLoader.load("work.yaml", text, framework);
                    }
                },
                Failure.class);
    }

    private static List<String> texts(String end, String... folders) throws IOException {
        var texts = new ArrayList<String>();
        for (var folder : folders) {
            try (var files = Files.walk(Path.of(folder))) {
                for (var file : files.filter(each -> each.toString().endsWith(end)
                                && !each.toString().contains("latin-1"))
                        .sorted()
                        .toList()) {
                    texts.add(Files.readString(file));
                }
            }
        }
        return texts;
    }
}
