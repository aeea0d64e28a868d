package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class SiteBenchmarkTest {
    @Test
    void everyBenchmarkDoesItsWork() throws IOException {
        var benchmark = new SiteBenchmark();
        benchmark.nodes = 2;
        benchmark.prepare();

        assertThat(benchmark.load().orFail().name().value()).isEqualTo("scale");
        assertThat(benchmark.render().design().machines()).hasSize(3);
        assertThat(benchmark.plan().machines()).hasSize(3);
    }
}
