package io.deepsite.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class GpuTableTest {
    private static final GpuTable TABLE = GpuTable.known();

    @Test
    void everyRowIsWholeAndStandsOnce() {
        assertThat(TABLE.cards())
                .hasSizeGreaterThan(200)
                .allSatisfy(card -> assertThat(card.id()).matches("[0-9a-f]{4}"))
                .extracting(GpuCard::id)
                .doesNotHaveDuplicates();
    }

    @Test
    void findsAModelByItsWords() {
        assertThat(ids("tesla-t4")).containsExactly("1eb8");
        assertThat(ids("T4")).containsExactly("1eb8");
        assertThat(ids("rtx4090")).containsExactlyInAnyOrder("2684", "2685");
        assertThat(ids("a100")).contains("20b0", "20b5").doesNotContain("20f5");
        assertThat(ids("mi300x")).isEmpty();
        assertThat(ids("-")).isEmpty();
    }

    @Test
    void knowsWhatACardCan() {
        var k20m = TABLE.withId("1028").orElseThrow();
        assertThat(k20m.architecture().lastBranch()).contains(470);
        assertThat(k20m.architecture().mps()).isEqualTo(GpuArchitecture.Mps.SHARED);
        assertThat(k20m.mig()).contains(List.of());
        var h100 = TABLE.withId("2330").orElseThrow();
        assertThat(h100.architecture().firstBranch()).contains(520);
        assertThat(h100.mig().orElseThrow()).contains("1g.10gb", "7g.80gb");
        assertThat(TABLE.withId("2901").orElseThrow().architecture().modules()).isEqualTo(GpuArchitecture.Modules.OPEN);
    }

    @Test
    void comparesCudaByNumbers() {
        assertThat(CudaVersion.parse("12.2")).isGreaterThan(CudaVersion.parse("9.2"));
        assertThat(CudaVersion.parse("12.2").oldestBranch()).isEqualTo(525);
    }

    private static List<String> ids(String model) {
        return TABLE.called(model).stream().map(GpuCard::id).toList();
    }
}
