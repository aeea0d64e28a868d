package io.deepsite.cluster;

import io.deepsite.provider.PciBus;
import io.deepsite.site.PciAddress;
import java.util.List;
import java.util.Optional;

/** The recorded bus of an emulated host of the testbed. */
public final class SampleBus {
    private SampleBus() {}

    public static PciBus of(String iommu) {
        return new PciBus(
                List.of(
                        function("0000:00:02.0", "1af4", "1001", "0100", "1", "a file system that is mounted"),
                        function("0000:00:03.0", "1af4", "1000", "0200", "2", "the default route"),
                        function("0000:00:05.0", "1b36", "000c", "0604", "4"),
                        function("0000:01:00.0", "10de", "1eb8", "0302", "9"),
                        function("0000:02:00.0", "10de", "2204", "0300", "10"),
                        function("0000:02:00.1", "10de", "1aef", "0403", "10"),
                        function("0000:03:00.0", "8086", "10d3", "0200", "11"),
                        function("0000:04:00.0", "1b36", "000e", "0604", "12"),
                        function("0000:05:01.0", "10de", "1eb8", "0302", "12"),
                        function("0000:05:02.0", "8086", "100e", "0200", "12")),
                Optional.of(iommu),
                Optional.empty());
    }

    private static PciBus.Function function(
            String address, String vendor, String device, String deviceClass, String group, String... needs) {
        return new PciBus.Function(
                new PciAddress(address),
                vendor,
                device,
                deviceClass,
                Optional.of(group),
                List.of(needs),
                address.equals("0000:03:00.0") ? 7 : 0);
    }

    /** The same bus before the kernel enables the IOMMU. */
    static PciBus withoutGroups(PciBus bus) {
        return new PciBus(
                bus.functions().stream()
                        .map(function -> new PciBus.Function(
                                function.address(),
                                function.vendor(),
                                function.device(),
                                function.deviceClass(),
                                Optional.empty(),
                                function.needs(),
                                function.most()))
                        .toList(),
                bus.iommu(),
                bus.turnedOff());
    }
}
