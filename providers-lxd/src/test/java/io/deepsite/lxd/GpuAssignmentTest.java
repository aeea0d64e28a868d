package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine.Gpu;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Sites;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.PciAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

final class GpuAssignmentTest {
    private static final String K20M = "0000:17:00.0";
    private static final String H100_A = "0000:65:00.0";
    private static final String H100_B = "0000:b3:00.0";

    @Test
    void choosesByVendorModelAndAddress() {
        var groups = new LinkedHashMap<String, MachineGroup>();
        groups.put("any", one(any(1)));
        groups.put("exact", one(pci(H100_A)));
        groups.put("old", one(model("tesla-k20m")));

        assertThat(cards(compile(Recorded.hostWithCards(), groups)))
                .isEqualTo(Map.of("any", List.of(H100_B), "exact", List.of(H100_A), "old", List.of(K20M)));
    }

    @Test
    void noCardIsGivenTwice() {
        var design = compile(Recorded.hostWithCards(), Map.of("node", Sites.many("debian/12", 3, 1, "1GiB", any(1))));

        assertThat(cards(design).values().stream().flatMap(List::stream))
                .containsExactlyInAnyOrder(K20M, H100_A, H100_B);
        assertThat(design.machines().getFirst().gpus())
                .containsExactly(new Gpu("nvidia", "Tesla K20m", K20M, "/dev/nvidia0"));
    }

    @Test
    void cardOfAnotherInstanceIsNotFree() {
        for (var selector :
                List.of(Map.of("pci", K20M), Map.of("id", "0"), Map.of("vendorid", "10de", "productid", "1028"))) {
            var snapshot = Recorded.host(tree -> {
                Recorded.addCards(tree);
                var device = tree.withArray("instances")
                        .addObject()
                        .put("name", "busy")
                        .put("project", "lab")
                        .putObject("expanded_devices")
                        .putObject("card");
                device.put("type", "gpu");
                selector.forEach(device::put);
            });

            var failure =
                    catchThrowableOfType(Failure.class, () -> compile(snapshot, Map.of("node", one(model("k20m")))));

            assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.LXD_TOO_FEW_GPUS);
            assertThat(failure.diagnostics().getFirst().why())
                    .contains(K20M + " nvidia Tesla K20m (used by busy)", H100_A);
        }
    }

    @Test
    void machineKeepsTheCardItHas() {
        var snapshot = Recorded.host(tree -> {
            Recorded.addCards(tree);
            tree.withArray("instances")
                    .get(0)
                    .withObject("devices")
                    .putObject("gpu0")
                    .put("type", "gpu")
                    .put("gputype", "physical")
                    .put("pci", H100_B);
        });
        var groups = new LinkedHashMap<String, MachineGroup>();
        groups.put("new", one(any(1)));
        groups.put("head", one(model("h100")));

        assertThat(cards(compile(snapshot, groups))).containsEntry("head", List.of(H100_B));
    }

    @Test
    void onboardGraphicsChipIsNoGpuUnlessItIsNamed() {
        var four = catchThrowableOfType(
                Failure.class, () -> compile(Recorded.hostWithCards(), Map.of("node", one(any(4)))));

        assertThat(four.diagnostics().getFirst().why()).contains("1 card is missing");
        assertThat(cards(compile(Recorded.hostWithCards(), Map.of("node", one(pci("0000:03:00.0"))))))
                .containsEntry("node", List.of("0000:03:00.0"));
    }

    @Test
    void cardForVirtualMachinesIsNotUsable() {
        var snapshot = Recorded.host(tree -> {
            Recorded.addCards(tree);
            ((ObjectNode) tree.withArray("cards").get(0)).put("driver", "vfio-pci");
        });

        var failure = catchThrowableOfType(Failure.class, () -> compile(snapshot, Map.of("node", one(model("k20m")))));

        assertThat(failure.diagnostics().getFirst().why()).contains("no driver that a container can use");
    }

    @Test
    void hostWithoutGpuIsReported() {
        var failure = catchThrowableOfType(Failure.class, () -> compile(Recorded.host(), Map.of("node", one(any(1)))));

        assertThat(failure.diagnostics().getFirst().why()).contains("The LXD host has no GPU.");
    }

    private static Design compile(Snapshot snapshot, Map<String, MachineGroup> groups) {
        return Recorded.compile(snapshot, Sites.site("demo", Recorded.settings(), groups), Requirements.NONE);
    }

    private static Map<String, List<String>> cards(Design design) {
        return design.machines().stream()
                .collect(Collectors.toMap(
                        machine -> machine.name(),
                        machine -> machine.gpus().stream().map(Gpu::pci).toList()));
    }

    private static MachineGroup one(GpuRequest request) {
        return Sites.single("debian/12", 1, "1GiB", request);
    }

    private static GpuRequest any(int count) {
        return new GpuRequest(Optional.empty(), Optional.empty(), count, List.of(), Optional.empty());
    }

    private static GpuRequest model(String model) {
        return new GpuRequest(Optional.of(new Name("nvidia")), Optional.of(model), 1, List.of(), Optional.empty());
    }

    private static GpuRequest pci(String address) {
        return new GpuRequest(
                Optional.empty(), Optional.empty(), 1, List.of(new PciAddress(address)), Optional.empty());
    }
}
