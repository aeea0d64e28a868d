package io.deepsite.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HostNamesTest {
    @Test
    void writesARangeOfThreeOrMoreInBrackets() {
        assertThat(HostNames.brief(List.of("head", "node-1", "node-2", "node-3", "gpu-7")))
                .isEqualTo("head, node-[1-3], gpu-7");
    }

    @Test
    void namesTwoOneByOne() {
        assertThat(HostNames.brief(List.of("node-1", "node-2"))).isEqualTo("node-1, node-2");
    }

    @Test
    void breaksARangeWhereANumberIsMissing() {
        assertThat(HostNames.brief(List.of("node-1", "node-2", "node-3", "node-5")))
                .isEqualTo("node-[1-3], node-5");
    }

    @Test
    void ordersByNumber() {
        assertThat(List.of("node-10", "head", "node-9").stream()
                        .sorted(HostNames::compare)
                        .toList())
                .containsExactly("head", "node-9", "node-10");
    }
}
