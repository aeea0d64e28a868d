package io.deepsite.opennebula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Bill;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Which machines a quota of OpenNebula counts; {@link GoldenErrorsTest} shows the messages. Source of the quotas of clusters
 * and PCI devices: OpenNebula/one, release-7.0.2 and release-7.4.0, include/QuotaVirtualMachine.h and
 * src/um/QuotaVirtualMachine.cc.
 */
final class QuotaCheckTest {
    private static final String TWO_GROUPS =
            "{head: {image: debian-12, memory: 512MiB}, node: {image: debian-12, memory: 512MiB, count: 3}}";
    /** None in cluster 0, two in the cluster that the test adds. */
    static final String QUOTAS = "<VM_QUOTA><VM><CLUSTER_IDS>0</CLUSTER_IDS><VMS>0</VMS><VMS_USED>0</VMS_USED></VM>"
            + "<VM><CLUSTER_IDS>%s</CLUSTER_IDS><VMS>2</VMS><VMS_USED>0</VMS_USED></VM></VM_QUOTA>";

    @TempDir
    private Path folder;

    @Test
    void quotaOfAClusterCountsTheGroupsThatMustRunThere() throws IOException {
        assertThat(says("{groups: {head: {cluster: gpu}, node: {cluster: gpu}}}"))
                .contains("2 VMs in the cluster gpu")
                .contains("head 1, node 3")
                .doesNotContain("cluster default");
        assertThat(says("{groups: {head: {cluster: gpu}}}"))
                .contains("0 VMs in the cluster default")
                .contains("needs 3 more (node 3)")
                .doesNotContain("gpu");
        assertThat(says("{groups: {head: {hosts: [kvm-1]}, node: {cluster: gpu}}}"))
                .contains("needs 1 more (head 1)")
                .contains("needs 3 more (node 3)");
    }

    @Test
    void machineThatMayRunInAnotherClusterIsNotCounted() {
        try (var front = StandIn.start("7.0.2", folder.resolve("state"))) {
            int gpu = front.cloud().add("cluster", "gpu").id;
            front.cloud().quotas(QUOTAS.formatted(gpu), "");
            front.cloud().networks().clusters("lab-net", StandInNetworks.FIRST_CLUSTER, gpu);

            var design = Fronts.compile(front, Fronts.site("{network: {existing: lab-net}}", TWO_GROUPS));

            assertThat(design.machines()).hasSize(4);
        }
    }

    @Test
    void defaultQuotasAreOfTheWholeCloudOnly() {
        try (var front = StandIn.start("7.0.2", folder.resolve("state"))) {
            front.cloud()
                    .quotas(
                            "<VM_QUOTA><VM><CLUSTER_IDS>0</CLUSTER_IDS><VMS>-1</VMS><VMS_USED>0</VMS_USED></VM></VM_QUOTA>"
                                    + "<DEFAULT_USER_QUOTAS><VM_QUOTA><VM><VMS>3</VMS></VM></VM_QUOTA></DEFAULT_USER_QUOTAS>",
                            "");

            assertThatThrownBy(() -> Fronts.compile(front, Fronts.site("{}", TWO_GROUPS)))
                    .isInstanceOfSatisfying(
                            Failure.class,
                            e -> assertThat(e.diagnostics())
                                    .singleElement()
                                    .satisfies(fault -> assertThat(fault.why()).contains("3 VMs and uses 0")));
        }
    }

    @Test
    void theBillHasTheLimitsThatTheSiteAddsTo() {
        try (var front = StandIn.start("7.0.2", folder.resolve("state"))) {
            front.cloud()
                    .quotas(
                            "<VM_QUOTA><VM><VMS>10</VMS><VMS_USED>2</VMS_USED></VM></VM_QUOTA>"
                                    + "<DATASTORE_QUOTA><DATASTORE><ID>1</ID><IMAGES>3</IMAGES></DATASTORE></DATASTORE_QUOTA>",
                            "");

            var design = Fronts.compile(front, Fronts.site("{}", TWO_GROUPS));

            assertThat(design.bill().limits())
                    .singleElement()
                    .satisfies(limit -> assertThat(limit.account()).startsWith("the user "))
                    .extracting(Bill.Limit::what, Bill.Limit::more, Bill.Limit::used, Bill.Limit::limit)
                    .containsExactly("VMs", 4L, 2L, 10L);
        }
    }

    /** They are in the datastore of the machine's image, which need not be the oldest. */
    @Test
    void dataDisksCountInTheDatastoreThatHoldsThem() {
        try (var front = StandIn.start("6.10.0", folder.resolve("state"))) {
            var fast = front.cloud().add("datastore", "fast");
            fast.fields.putAll(Map.of("TYPE", "0", "TOTAL_MB", "4096", "FREE_MB", "2048"));
            front.cloud().named("image", "debian-12").fields.put("DATASTORE_ID", String.valueOf(fast.id));
            front.cloud()
                    .quotas(
                            "<DATASTORE_QUOTA>%s%s</DATASTORE_QUOTA>"
                                    .formatted(
                                            store(fast.id), store(front.cloud().named("datastore", "default").id)),
                            "");

            assertThatThrownBy(() -> Fronts.compile(
                            front, Fronts.site("{groups: {node: {volumes: {data: {size: 1GiB}}}}}", TWO_GROUPS)))
                    .isInstanceOfSatisfying(
                            Failure.class,
                            e -> assertThat(e.diagnostics())
                                    .extracting(Diagnostic::why)
                                    .satisfiesExactly(
                                            quota -> assertThat(quota)
                                                    .contains(
                                                            "2 images in the datastore fast", "needs 3 more (node 3)"),
                                            free -> assertThat(free)
                                                    .contains("fast", "has 2048 MiB free", "disks need 3072")));
        }
    }

    private static String store(int id) {
        return "<DATASTORE><ID>%d</ID><IMAGES>2</IMAGES><IMAGES_USED>0</IMAGES_USED></DATASTORE>".formatted(id);
    }

    /** Seen with oned 7.0.2, one.vm.allocate: "limit of 10 reached for SYSTEM_DISK_SIZE quota in VM". */
    @Test
    void copyOfAnImageIsAsLargeAsTheImage() {
        assertThat(
                        says(
                                "<VM_QUOTA><VM><SYSTEM_DISK_SIZE>10239</SYSTEM_DISK_SIZE></VM></VM_QUOTA>",
                                "SYSTEM",
                                "NONE",
                                "{groups: {node: {volumes: {data: {size: 1GiB}}}}}",
                                "{head: {image: debian-12, memory: 512MiB, disk: 4GiB}, node: {image: debian-12, memory: 512MiB, count: 3}}"))
                .contains("10239 MiB of system disks", "needs 10240 more (head 4096, node 6144)");
    }

    /** Drivers that copy to the disks of hosts place data disks there, too. */
    @Test
    void dataDisksOnHostsAreSystemDisks() {
        assertThat(says(
                        "<VM_QUOTA><VM><SYSTEM_DISK_SIZE>8192</SYSTEM_DISK_SIZE></VM></VM_QUOTA>",
                        "SYSTEM",
                        "SYSTEM",
                        "{groups: {node: {volumes: {data: {size: 1GiB}}}}}",
                        TWO_GROUPS))
                .contains("needs 11264 more (head 2048, node 9216)");
    }

    /** Seen with oned 7.0.2, one.vm.allocate: "limit of 10 reached for SIZE quota in DATASTORE with ID: 101". */
    @Test
    void copiesInTheDatastoreOfTheImageCountThere() {
        assertThat(says(
                        "<DATASTORE_QUOTA><DATASTORE><ID>%d</ID><SIZE>8191</SIZE></DATASTORE></DATASTORE_QUOTA>",
                        "SELF", "NONE", "{}", TWO_GROUPS))
                .contains("8191 MiB in the datastore default", "needs 8192 more (head 2048, node 6144), 1 too many");
    }

    /** Seen with oned 7.0.2, one.vm.allocate: "limit of 1 reached for RVMS quota in IMAGE with ID: 0". */
    @Test
    void quotaOfAnImageCountsItsMachines() {
        try (var front = StandIn.start("6.10.0", folder.resolve("state"))) {
            front.cloud()
                    .quotas(
                            "<IMAGE_QUOTA><IMAGE><ID>%d</ID><RVMS>3</RVMS><RVMS_USED>1</RVMS_USED></IMAGE></IMAGE_QUOTA>"
                                    .formatted(front.cloud().named("image", "debian-12").id),
                            "");

            assertThatThrownBy(() -> Fronts.compile(front, Fronts.site("{}", TWO_GROUPS)))
                    .hasMessageContaining(
                            "is limited to 3 VMs of the image debian-12 and uses 1. The site needs 4 more (head 1, node 3), 2 too many.");
        }
    }

    /** Seen with oned 7.0.2, one.userquota.update and then one.image.allocate of a new user. */
    @Test
    void defaultQuotaOfADatastoreAppliesBeforeItsFirstUse() {
        assertThat(says(
                        "<DEFAULT_USER_QUOTAS><DATASTORE_QUOTA><DATASTORE><ID>%d</ID><IMAGES>2</IMAGES></DATASTORE></DATASTORE_QUOTA></DEFAULT_USER_QUOTAS>",
                        "SYSTEM", "NONE", "{groups: {node: {volumes: {data: {size: 1GiB}}}}}", TWO_GROUPS))
                .contains("2 images in the datastore default and uses 0", "needs 3 more (node 3)");
    }

    /** @param quotas of the user, with the id of the datastore for %d */
    private String says(String quotas, String clone, String link, String opennebula, String machines) {
        try (var front = StandIn.start("6.10.0", folder.resolve("state"))) {
            var datastore = front.cloud().named("datastore", "default");
            front.cloud().targets(datastore, clone, link);
            front.cloud().quotas(quotas.replace("%d", String.valueOf(datastore.id)), "");
            try {
                Fronts.compile(front, Fronts.site(opennebula, machines));
                return "";
            } catch (Failure e) {
                return e.diagnostics().stream().map(Diagnostic::why).collect(Collectors.joining("\n"));
            }
        }
    }

    /** Since 7.2. */
    @Test
    void quotaOfPciDevicesCountsTheCards() {
        try (var front = StandIn.start("7.4.0", folder.resolve("state"))) {
            var host = front.cloud().host("kvm-2", 1600, 65_536);
            front.cloud().card(host, "10de 20b5 0302 A100_PCIe 17:00.0");
            front.cloud().card(host, "10de 20b5 0302 A100_PCIe 65:00.0");
            front.cloud()
                    .quotas("", "<VM_QUOTA><VM><PCI_DEV>4</PCI_DEV><PCI_DEV_USED>3</PCI_DEV_USED></VM></VM_QUOTA>");

            assertThatThrownBy(
                            () -> Fronts.compile(
                                    front,
                                    Fronts.site(
                                            "{}",
                                            "{node: {image: debian-12, memory: 512MiB, gpus: [{vendor: nvidia, model: a100-pcie, count: 2}]}}")))
                    .hasMessageContaining(
                            "is limited to 4 PCI devices and uses 3. The site needs 2 more (node 2), 1 too many.");
        }
    }

    private String says(String opennebula) throws IOException {
        try (var front = StandIn.start(
                "7.0.2", Files.createTempDirectory(folder, "front").resolve("state"))) {
            int gpu = front.cloud().add("cluster", "gpu").id;
            front.cloud().quotas(QUOTAS.formatted(gpu), "");
            try {
                Fronts.compile(front, Fronts.site(opennebula, TWO_GROUPS));
                return "";
            } catch (Failure e) {
                return e.diagnostics().stream().map(fault -> fault.why()).collect(Collectors.joining("\n"));
            }
        }
    }
}
