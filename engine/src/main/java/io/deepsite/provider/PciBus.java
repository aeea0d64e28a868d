package io.deepsite.provider;

import io.deepsite.site.PciAddress;
import java.util.List;
import java.util.Optional;

/**
 * What sits on a host's PCI bus, as the host showed it.
 *
 * @param functions in order of their addresses
 * @param iommu the firmware's table that announces one: DMAR (Intel) or IVRS (AMD)
 * @param turnedOff the word on the running kernel's command line that keeps the IOMMU off
 */
public record PciBus(List<Function> functions, Optional<String> iommu, Optional<String> turnedOff) {
    public PciBus {
        functions = List.copyOf(functions);
    }

    /**
     * @param vendor four hexadecimal digits, as are device and deviceClass
     * @param group the IOMMU's; empty while the kernel uses none
     * @param needs what the host itself uses it for, in words: {@code the default route}; empty when for nothing known
     * @param most virtual functions that it can have (SR-IOV)
     */
    public record Function(
            PciAddress address,
            String vendor,
            String device,
            String deviceClass,
            Optional<String> group,
            List<String> needs,
            int most) {
        private static final String BRIDGES = "06";

        public Function {
            needs = List.copyOf(needs);
        }

        /** It leads to others, and goes to no virtual machine. */
        public boolean isBridge() {
            return deviceClass.startsWith(BRIDGES);
        }

        /** Vendor, device and class as {@code lspci -n} orders them: {@code 10de:1eb8:0302}. */
        public String kind() {
            return vendor + ":" + device + ":" + deviceClass;
        }

        /** Functions of one card have it in common. */
        public String slot() {
            return address.value().substring(0, address.value().indexOf('.'));
        }
    }
}
