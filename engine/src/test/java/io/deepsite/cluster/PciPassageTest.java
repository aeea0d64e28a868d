package io.deepsite.cluster;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.PciBus;
import io.deepsite.site.PassedDevice;
import io.deepsite.site.PciAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PciPassageTest {
    private static final PciBus BUS = SampleBus.of("DMAR");

    @Test
    void passesACardOfItsOwnGroup() {
        assertThat(passed(BUS, "0000:01:00.0")).containsExactly("0000:01:00.0");
    }

    @Test
    void passesTheSoundOfACardWithItsPicture() {
        assertThat(passed(BUS, "0000:02:00.0")).containsExactly("0000:02:00.0", "0000:02:00.1");
        assertThat(PciPassage.of("kvm-1", asked("10de:2204"), BUS).words())
                .isEqualTo("0000:02:00.0 10de:2204:0300 with 0000:02:00.1 10de:1aef:0403 (group 10)");
    }

    @Test
    void passesBothOfASharedGroupAndKeepsItsBridge() {
        assertThat(passed(BUS, "0000:05:01.0", "0000:05:02.0")).containsExactly("0000:05:01.0", "0000:05:02.0");
    }

    @Test
    void findsAllOfAKind() {
        assertThat(passed(BUS, "8086:10?3:02*")).containsExactly("0000:03:00.0");
        assertThat(passed(BUS, "10de:*:030?", "8086:100e"))
                .containsExactly("0000:01:00.0", "0000:02:00.0", "0000:02:00.1", "0000:05:01.0", "0000:05:02.0");
    }

    @Test
    void findsAllOfAModel() {
        assertThat(PciPassage.of("kvm-1", List.of(model("tesla-t4"), model("RTX 3090")), withoutItsNeighbour())
                        .functions())
                .extracting(function -> function.address().value())
                .containsExactly("0000:01:00.0", "0000:02:00.0", "0000:02:00.1", "0000:05:01.0");
    }

    @Test
    void keepsACardThatGivesVirtualFunctionsAway() {
        var passage = PciPassage.of("kvm-1", List.of(split(3)), BUS);

        assertThat(passage.functions()).isEmpty();
        assertThat(passage.split()).hasSize(1).containsValue(3);
        assertThat(passage.words()).isEqualTo("3 virtual functions of 0000:03:00.0 8086:10d3:0200");
    }

    @Test
    void refusesMoreVirtualFunctionsThanTheCardCanHave() {
        assertReads("passthrough/DS3219-more-than-the-card-has", () -> PciPassage.of("kvm-1", List.of(split(8)), BUS));
    }

    @Test
    void refusesVirtualFunctionsOfACardThatHasNone() {
        assertReads(
                "passthrough/DS3219-none-at-all",
                () -> PciPassage.of(
                        "kvm-1",
                        List.of(new PassedDevice(
                                Optional.of(new PciAddress("0000:01:00.0")),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(2))),
                        BUS));
    }

    private static PassedDevice model(String name) {
        return new PassedDevice(Optional.empty(), Optional.empty(), Optional.of(name), Optional.empty());
    }

    private static PassedDevice split(int count) {
        return new PassedDevice(
                Optional.of(new PciAddress("0000:03:00.0")), Optional.empty(), Optional.empty(), Optional.of(count));
    }

    /** Of the two cards behind one bridge, only the one that is passed through. */
    private static PciBus withoutItsNeighbour() {
        return new PciBus(
                BUS.functions().stream()
                        .filter(function -> !function.address().value().equals("0000:05:02.0"))
                        .toList(),
                BUS.iommu(),
                BUS.turnedOff());
    }

    @Test
    void passesAWholeCardBeforeTheKernelReportsGroups() {
        var bus = SampleBus.withoutGroups(BUS);

        assertThat(passed(bus, "0000:02:00.0")).containsExactly("0000:02:00.0", "0000:02:00.1");
        assertThat(PciPassage.of("kvm-1", asked("0000:01:00.0"), bus).words())
                .isEqualTo("0000:01:00.0 10de:1eb8:0302 (group not known yet)");
    }

    @Test
    void refusesACardThatIsNotIsolatedFromANetworkCard() {
        refused("passthrough/DS3215-behind-one-bridge", BUS, "0000:05:01.0");
    }

    @Test
    void refusesWhatTheHostNeeds() {
        refused("passthrough/DS3214-default-route", BUS, "1af4:1000");
    }

    @Test
    void refusesADeviceThatIsNotThere() {
        refused("passthrough/DS3213-no-such-device", BUS, "0000:07:00.0", "1002:*:03*");
    }

    @Test
    void refusesABridge() {
        refused("passthrough/DS3213-bridge", BUS, "0000:00:05.0");
    }

    @Test
    void refusesADeviceThatTwoEntriesMean() {
        refused("passthrough/DS1214-device-of-two-entries", BUS, "0000:01:00.0", "10de:1eb8:0302", "8086:100e");
    }

    @Test
    void refusesWithoutAnIommu() {
        refused(
                "passthrough/DS3211-nothing-in-the-firmware",
                new PciBus(BUS.functions(), Optional.empty(), Optional.empty()),
                "0000:01:00.0");
    }

    @Test
    void refusesIfTheKernelsIommuIsDisabled() {
        refused(
                "passthrough/DS3212-off-on-the-command-line",
                new PciBus(SampleBus.withoutGroups(BUS).functions(), BUS.iommu(), Optional.of("intel_iommu=off")),
                "0000:01:00.0");
    }

    private static void refused(String name, PciBus bus, String... devices) {
        assertReads(name, () -> PciPassage.of("kvm-1", asked(devices), bus));
    }

    private static List<String> passed(PciBus bus, String... devices) {
        return PciPassage.of("kvm-1", asked(devices), bus).functions().stream()
                .map(function -> function.address().value())
                .toList();
    }

    private static List<PassedDevice> asked(String... devices) {
        return Arrays.stream(devices)
                .map(device -> device.contains(".")
                        ? new PassedDevice(
                                Optional.of(new PciAddress(device)),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty())
                        : new PassedDevice(Optional.empty(), Optional.of(device), Optional.empty(), Optional.empty()))
                .toList();
    }
}
