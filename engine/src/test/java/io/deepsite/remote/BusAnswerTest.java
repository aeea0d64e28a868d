package io.deepsite.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.contract.Seen;
import io.deepsite.provider.PciBus;
import io.deepsite.site.PciAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BusAnswerTest {
    @Test
    void joinsFunctionsGroupsAndNeeds() {
        assertThat(bus("quiet").orElseThrow())
                .isEqualTo(new PciBus(
                        List.of(new PciBus.Function(
                                new PciAddress("0000:03:00.0"),
                                "8086",
                                "10d3",
                                "0200",
                                Optional.of("11"),
                                List.of("the default route"),
                                64)),
                        Optional.of("DMAR"),
                        Optional.empty()));
    }

    @Test
    void knowsNothingOfABusThatCouldNotBeRead() {
        assertThat(BusAnswer.of(Seen.unknown("there is no PCI bus"), "")).isEmpty();
    }

    @Test
    void ofWordsThatUndoEachOtherTheLastCounts() {
        assertThat(bus("intel_iommu=on intel_iommu=off").flatMap(PciBus::turnedOff))
                .contains("intel_iommu=off");
        assertThat(bus("intel_iommu=off intel_iommu=on").flatMap(PciBus::turnedOff))
                .isEmpty();
        assertThat(bus("intel_iommu=on iommu=off").flatMap(PciBus::turnedOff)).contains("iommu=off");
    }

    @Test
    void linesThatAreNoneCountForNothing() {
        var found = BusAnswer.of(
                        Seen.of(Map.of(
                                "functions",
                                List.of(
                                        "0000:03:00.0 0x8086 0x10d3 0x020000",
                                        "0000:03:00.0 0x8086 0x10d3 0x020000",
                                        "0000:04:00.0",
                                        "",
                                        "10000:e1:00.0 0x8086 0x10d3 0x020000",
                                        "0000:05:00.0 0x 0x 0x",
                                        "0000:06:00.0 0x8086\",\"x\":\"y 0x10d3 0x020000",
                                        "../../../etc 0x8086 0x10d3 0x020000"),
                                "groups",
                                List.of("1", "", "x 0000:03:00.0"),
                                "needs",
                                List.of("route", "all 0000:03:00.0"),
                                "virtual",
                                List.of("0000:03:00.0", "0000:03:00.0 99999999999", "0000:03:00.0 -1"),
                                "iommu",
                                "x\u001b[2J")),
                        "quiet")
                .orElseThrow();

        assertThat(found)
                .isEqualTo(new PciBus(
                        List.of(new PciBus.Function(
                                new PciAddress("0000:03:00.0"),
                                "8086",
                                "10d3",
                                "0200",
                                Optional.empty(),
                                List.of(),
                                0)),
                        Optional.empty(),
                        Optional.empty()));
        assertThat(BusAnswer.of(Seen.of(Map.of("functions", "x", "groups", List.of(List.of()), "iommu", 7)), ""))
                .contains(new PciBus(List.of(), Optional.empty(), Optional.empty()));
    }

    private static Optional<PciBus> bus(String commandLine) {
        return BusAnswer.of(
                Seen.of(Map.of(
                        "functions", List.of("0000:03:00.0 0x8086 0x10d3 0x020000"),
                        "groups", List.of("11 0000:03:00.0"),
                        "needs", List.of("route 0000:03:00.0", "route 0000:03:00.0", "disk 0000:00:02.0"),
                        "virtual", List.of("0000:03:00.0 64"),
                        "iommu", "DMAR")),
                commandLine);
    }
}
