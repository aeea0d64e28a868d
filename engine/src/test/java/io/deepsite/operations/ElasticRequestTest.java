package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ElasticRequestTest {
    private static final Set<String> ELASTIC = Set.of("node-2", "node-3", "node-4");

    private final List<String> refused = new ArrayList<>();

    @Test
    void readsWhatIsWantedGivenBackAndFailed() {
        assertThat(parsed("wanted=node-3,node-2 released=node-4 failed=")).hasValueSatisfying(request -> {
            assertThat(request.wanted()).containsExactly("node-2", "node-3");
            assertThat(request.released()).containsExactly("node-4");
            assertThat(request.failed()).isEmpty();
        });
        assertThat(refused).isEmpty();
    }

    @Test
    void dropsEveryNameThatIsNoElasticMachineOfTheCluster() {
        assertThat(parsed("wanted=node-2,node-1,head,../../x,$(id) released=node-5 failed="))
                .hasValueSatisfying(request -> {
                    assertThat(request.wanted()).containsExactly("node-2");
                    assertThat(request.released()).isEmpty();
                });
        assertThat(refused).containsExactly("node-1", "head", "../../x", "$(id)", "node-5");
    }

    @Test
    void dropsALineThatIsNoRequest() {
        assertThat(parsed("")).isEmpty();
        assertThat(parsed("wanted=node-2")).isEmpty();
        assertThat(parsed("wanted=node-2 released= failed= destroy=head")).isEmpty();
        assertThat(parsed("x".repeat(1000))).isEmpty();
        assertThat(refused).hasSize(4).allMatch(text -> text.length() < 70);
    }

    private Optional<ElasticRequest> parsed(String line) {
        return ElasticRequest.parse(line, ELASTIC::contains, refused::add);
    }
}
