package io.deepsite.cli.view;

import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class GraphViewTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/graph");

    @Test
    void drawsStagesAndTheirNeedsAsMermaid() {
        Golden.assertSame(GOLDEN.resolve("fresh.mmd"), new GraphView(SamplePlans.fresh()).mermaid());
    }

    @Test
    void drawsThemAsDot() {
        Golden.assertSame(GOLDEN.resolve("fresh.dot"), new GraphView(SamplePlans.fresh()).dot());
    }
}
