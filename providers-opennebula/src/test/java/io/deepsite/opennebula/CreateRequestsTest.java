package io.deepsite.opennebula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.opennebula.StandInThing.Attribute;
import io.deepsite.provider.Call;
import io.deepsite.provider.Tags;
import io.deepsite.provider.Tags.Scope.OneSite;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The requests that make objects, as OpenNebula receives them. */
final class CreateRequestsTest {
    private static final Instant END = Instant.parse("2026-11-23T01:00:00Z");

    @TempDir
    private Path folder;

    private StandIn front(String version) {
        return StandIn.start(version, folder.resolve("state"));
    }

    private static String text(List<Attribute> attributes, String name) {
        return StandInThing.text(attributes, name).orElse("");
    }

    @Test
    void machineOnItsOwnNetwork() {
        try (var front = front("6.8.3")) {
            var made = new Made(
                            front,
                            "{network: {cidr: 10.65.0.0/28, gateway: 10.65.0.1, dns: [10.0.0.2], driver: vxlan, device: eth1}}",
                            "{node: {image: debian-12, cpus: 2, memory: 512MiB, disk: 10GiB}}")
                    .all();

            var network = front.cloud().named("network", "ds-lab-net");
            assertThat(text(network.template, "VN_MAD")).isEqualTo("vxlan");
            assertThat(text(network.template, "AUTOMATIC_VLAN_ID")).isEqualTo("YES");
            assertThat(text(network.template, "NETWORK_MASK")).isEqualTo("255.255.255.240");
            assertThat(StandInThing.vectors(network.template, "AR"))
                    .containsExactly(Map.of("TYPE", "IP4", "IP", "10.65.0.1", "SIZE", "14"));
            var guard = front.cloud().named("secgroup", "ds-lab-net.guard");
            assertThat(text(network.template, "SECURITY_GROUPS"))
                    .as("else OpenNebula's own group, which lets in everything, is on each card")
                    .isEqualTo(String.valueOf(guard.id));
            assertThat(StandInThing.vectors(guard.template, "RULE"))
                    .containsExactly(Map.of("PROTOCOL", "ALL", "RULE_TYPE", "outbound"));

            var vm = made.vm("node");
            assertThat(text(vm.template, "CPU")).isEqualTo("2");
            assertThat(text(vm.template, "VCPU")).isEqualTo("2");
            assertThat(text(vm.template, "MEMORY")).isEqualTo("512");
            assertThat(made.vector("node", "DISK"))
                    .containsEntry("IMAGE_ID", String.valueOf(front.cloud().named("image", "debian-12").id))
                    .containsEntry("SIZE", "10240");
            assertThat(made.vector("node", "NIC"))
                    .containsEntry("NETWORK_ID", String.valueOf(network.id))
                    .containsEntry("IP", "10.65.0.2")
                    .containsEntry(
                            "SECURITY_GROUPS", String.valueOf(front.cloud().named("secgroup", "ds-lab-node").id));
            assertThat(StandInThing.vectors(vm.userTemplate, Ownership.ATTRIBUTE))
                    .containsExactly(Map.of(
                            "SITE",
                            "lab",
                            "ID",
                            "instance/node",
                            "LINEAGE",
                            made.tags().lineage()));
            assertThat(made.design().machines()).singleElement().satisfies(machine -> {
                assertThat(machine.address()).contains("10.65.0.2");
                assertThat(machine.provider()).isEqualTo("opennebula");
            });
        }
    }

    @Test
    void firstStartSetsKeysForBothKindsOfImage() throws IOException {
        try (var front = front("6.8.3")) {
            var made = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}").all();

            var context = made.vector("node", "CONTEXT");
            assertThat(context)
                    .containsEntry("NETWORK", "YES")
                    .containsEntry("SET_HOSTNAME", "node")
                    .containsEntry("SSH_PUBLIC_KEY", "ssh-ed25519 AAAA of-deepsite")
                    .containsEntry("USERDATA_ENCODING", "base64");
            var script = decoded(context.get("START_SCRIPT_BASE64"));
            assertThat(script).contains(Base64.getEncoder().encodeToString(Made.KEY.getBytes(StandardCharsets.UTF_8)));
            assertThat(decoded(context.get("USER_DATA")))
                    .startsWith("#cloud-config\n")
                    .contains("ed25519_private");
            assertThat(shellAccepts(script)).isTrue();
        }
    }

    private static String decoded(String base64) {
        return new String(Base64.getDecoder().decode(base64), StandardCharsets.UTF_8);
    }

    private boolean shellAccepts(String script) throws IOException {
        var file = Files.writeString(folder.resolve("script"), script);
        try {
            return new ProcessBuilder("sh", "-n", file.toString())
                            .inheritIO()
                            .start()
                            .waitFor()
                    == 0;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void capabilitiesIncludeAReadableAndLateKey() {
        try (var front = front("6.8.3")) {
            var capabilities = Fronts.provider(front, Fronts.site("{}", "{node: {image: debian-12}}"))
                    .capabilities();

            assertThat(capabilities.bootReadable()).isTrue();
            assertThat(capabilities.lateHostKey()).isTrue();
        }
    }

    @Test
    void cardsByVendorAndModelBecomeVendorDeviceAndClass() {
        try (var front = front("6.4.7")) {
            cards(front);
            var made = new Made(
                            front,
                            "{groups: {node: {chipset: q35}}}",
                            "{node: {image: debian-12, gpus: [{vendor: nvidia, model: a100-pcie, count: 2}]}}")
                    .all();

            assertThat(StandInThing.vectors(made.vm("node").template, "PCI"))
                    .hasSize(2)
                    .containsOnly(Map.of("VENDOR", "10de", "DEVICE", "20b5", "CLASS", "0302"));
            assertThat(made.vector("node", "OS")).isEqualTo(Map.of("MACHINE", "q35"));
            assertThat(made.design().machines().getFirst().gpus())
                    .extracting(gpu -> gpu.device())
                    .containsExactly("/dev/nvidia0", "/dev/nvidia1");
        }
    }

    @Test
    void exactCardsBecomeShortAddressesAndNothingElse() {
        try (var front = front("6.6.0")) {
            cards(front);
            var made = new Made(
                            front,
                            "{groups: {node: {chipset: q35, firmware: /usr/share/OVMF/OVMF_CODE.secboot.fd, secureBoot: true}}}",
                            "{node: {image: debian-12, gpus: [{vendor: nvidia, pci: [\"0000:65:00.0\"]}]}}")
                    .all();

            assertThat(StandInThing.vectors(made.vm("node").template, "PCI"))
                    .containsExactly(Map.of("SHORT_ADDRESS", "65:00.0"));
            assertThat(made.vector("node", "OS"))
                    .isEqualTo(Map.of(
                            "MACHINE",
                            "q35",
                            "FIRMWARE",
                            "/usr/share/OVMF/OVMF_CODE.secboot.fd",
                            "FIRMWARE_SECURE",
                            "YES"));
        }
    }

    @Test
    void aUserWhoSeesNoHostsNamesTheDeviceAndTheHost() {
        try (var front = front("7.0.1")) {
            cards(front);
            front.cloud().forbid("one.hostpool.info");
            var made = new Made(
                            front,
                            "{groups: {node: {pciDevice: \"10de:20b5\", hosts: [kvm-1, kvm-9], cluster: default}}}",
                            "{node: {image: debian-12, gpus: [{vendor: nvidia}]}}")
                    .all();

            assertThat(StandInThing.vectors(made.vm("node").template, "PCI"))
                    .containsExactly(Map.of("VENDOR", "10de", "DEVICE", "20b5"));
            assertThat(text(made.vm("node").userTemplate, "SCHED_REQUIREMENTS"))
                    .isEqualTo("CLUSTER_ID=\"" + front.cloud().named("cluster", "default").id
                            + "\" & (NAME=\"kvm-1\" | NAME=\"kvm-9\")");
        }
    }

    private static void cards(StandIn front) {
        var host = front.cloud().named("host", "kvm-1");
        front.cloud().card(host, "10de 20b5 0302 A100_PCIe 17:00.0");
        front.cloud().card(host, "10de 20b5 0302 A100_PCIe 65:00.0");
        front.cloud().card(host, "10de 1aef 0403 A100_Audio 65:00.1");
    }

    @Test
    void templateOfTheSiteKeepsItsOtherAttributes() {
        try (var front = front("6.8.3")) {
            var base = front.cloud().add("template", "gpu-node");
            base.template.addAll(StandInThing.parse("<TEMPLATE><CPU>1</CPU><MEMORY>128</MEMORY>"
                    + "<GRAPHICS><TYPE>VNC</TYPE></GRAPHICS><DISK><IMAGE_ID>4711</IMAGE_ID></DISK></TEMPLATE>"));
            var made = new Made(
                            front,
                            "{groups: {node: {template: gpu-node}}}",
                            "{node: {image: debian-12, memory: 512MiB}}")
                    .all();

            assertThat(front.sent()).contains("one.template.instantiate").doesNotContain("one.vm.allocate");
            assertThat(text(made.vm("node").template, "MEMORY")).isEqualTo("512");
            assertThat(made.vector("node", "GRAPHICS")).containsEntry("TYPE", "VNC");
            assertThat(StandInThing.vectors(made.vm("node").template, "DISK")).hasSize(1);
        }
    }

    @Test
    void chipsetAndFirmwareKeepTheTemplatesOtherBootSettings() {
        try (var front = front("6.8.3")) {
            front.cloud()
                    .add("template", "gpu-node")
                    .template
                    .addAll(StandInThing.parse("<TEMPLATE><CPU>1</CPU><MEMORY>128</MEMORY>"
                            + "<OS><ARCH>x86_64</ARCH><BOOT>disk0</BOOT><MACHINE>pc</MACHINE></OS></TEMPLATE>"));
            var made = new Made(
                            front,
                            "{groups: {node: {template: gpu-node, chipset: q35}}}",
                            "{node: {image: debian-12, memory: 512MiB}}")
                    .all();

            assertThat(made.vector("node", "OS"))
                    .isEqualTo(Map.of("ARCH", "x86_64", "BOOT", "disk0", "MACHINE", "q35"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"5.6.2", "5.12.0", "6.2.0", "6.8.3", "7.0.1"})
    void endOfTheLeaseIsAnActionOfOpenNebula(String version) {
        try (var front = front(version)) {
            var made =
                    new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}", Optional.of(until(END))).all();
            assertThat(ends(made)).containsExactly(END.getEpochSecond());

            var later = END.plusSeconds(3600);
            made.provider().retag(made.seen(Kinds.VM, "node"), Optional.of(until(later)), Call.QUIET);
            assertThat(ends(made)).containsExactly(later.getEpochSecond());

            var other = Map.of("ACTION", "poweroff", "TIME", "1", "ID", "7");
            var seen = version.compareTo("6.2") < 0 ? made.vm("node").userTemplate : made.vm("node").template;
            seen.add(new Attribute("SCHED_ACTION", "", new TreeMap<>(other)));
            made.provider().retag(made.seen(Kinds.VM, "node"), Optional.empty(), Call.QUIET);
            assertThat(ends(made)).as("other actions stay").containsExactly(1L);

            made.provider().retag(made.seen(Kinds.VM, "node"), Optional.of(until(END)), Call.QUIET);
            assertThat(ends(made)).containsExactlyInAnyOrder(1L, END.getEpochSecond());
        }
    }

    @Test
    void networkWithOtherUsersStaysWithItsGroup() {
        try (var front = front("6.8.3")) {
            var made = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}").all();
            var network = front.cloud()
                    .named("network", made.seen(Kinds.NETWORK, "net").name());
            var stranger = front.cloud().add("vm", "stranger");
            stranger.fields.putAll(made.vm("node").fields);
            stranger.template.add(
                    new Attribute("NIC", "", new TreeMap<>(Map.of("NETWORK_ID", String.valueOf(network.id)))));

            assertThat(made.seen(Kinds.NETWORK, "net").usedBy()).containsExactly("stranger");
            assertThat(made.seen(Kinds.GUARD, "net").usedBy()).containsExactly("stranger");
            assertThat(made.seen(Kinds.SECURITY_GROUP, "node").usedBy()).isEmpty();
        }
    }

    @Test
    void onlyTheSeenVmOfTwoWithOneNameIsDeleted() {
        try (var front = front("6.8.3")) {
            var made = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}").all();
            var ours = made.vm("node");
            int twin = front.twin("vm", ours.name).getLast();
            var seen = made.provider().survey(new OneSite(made.site().name())).owned().stream()
                    .filter(one -> one.id().kind().equals(Kinds.VM))
                    .filter(one -> one.handle().equals(String.valueOf(twin)))
                    .toList();
            assertThat(seen).hasSize(1);

            made.provider().delete(seen.getFirst(), Call.QUIET);

            assertThat(front.cloud().all("vm").values()).containsExactly(ours);
        }
    }

    @Test
    void movingTheEndLeavesNoSecondAction() {
        try (var front = front("6.10.0")) {
            var made =
                    new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}", Optional.of(until(END))).all();
            var left = StandInThing.vectors(made.vm("node").template, "SCHED_ACTION")
                    .getFirst();
            var second = new TreeMap<>(left);
            second.put("ID", "5");
            made.vm("node").template.add(new Attribute("SCHED_ACTION", "", second));

            made.provider().retag(made.seen(Kinds.VM, "node"), Optional.of(until(END.plusSeconds(60))), Call.QUIET);

            assertThat(ends(made)).containsExactly(END.plusSeconds(60).getEpochSecond());
        }
    }

    /** The next run reads the tag: while it has the old end, the retag is repeated. */
    @ParameterizedTest
    @ValueSource(strings = {"one.vm.schedupdate", "one.vm.update"})
    void interruptedRetagIsRepeated(String method) {
        try (var front = front("6.8.3")) {
            var made =
                    new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}", Optional.of(until(END))).all();
            var later = Optional.of(until(END.plusSeconds(3600)));
            front.on(method, StandIn.Mishap.OTHER_ARGUMENTS);
            assertThatThrownBy(() -> made.provider().retag(made.seen(Kinds.VM, "node"), later, Call.QUIET))
                    .isInstanceOf(Failure.class);

            assertThat(made.seen(Kinds.VM, "node").tags().expiresAt()).contains(END);

            made.provider().retag(made.seen(Kinds.VM, "node"), later, Call.QUIET);
            assertThat(made.seen(Kinds.VM, "node").tags().lease()).isEqualTo(later);
            assertThat(ends(made)).containsExactly(later.get().ends().getEpochSecond());
        }
    }

    private static Tags.Lease until(Instant end) {
        return new Tags.Lease(end, Optional.empty());
    }

    private static List<Long> ends(Made made) {
        var vm = made.vm("node");
        return Stream.of(vm.template, vm.userTemplate)
                .flatMap(attributes -> StandInThing.vectors(attributes, "SCHED_ACTION").stream())
                .map(action -> Long.parseLong(action.getOrDefault("TIME", "0")))
                .toList();
    }

    @Test
    void dataDisksAreImagesThatOutliveTheirMachine() {
        try (var front = front("6.8.3")) {
            var with = new Made(
                            front,
                            "{groups: {node: {volumes: {data: {size: 20GiB}}}}}",
                            "{node: {image: debian-12, memory: 512MiB}}")
                    .all();
            var disk = front.cloud().named("image", "ds-lab-node-data");
            assertThat(text(disk.template, "PERSISTENT")).isEqualTo("YES");
            assertThat(text(disk.template, "SIZE")).isEqualTo("20480");
            assertThat(StandInThing.vectors(with.vm("node").template, "DISK"))
                    .extracting(one -> one.getOrDefault("IMAGE_ID", ""))
                    .contains(String.valueOf(disk.id));
            var seen = with.seen(Kinds.VM, "node");
            assertThat(seen.attributes()).containsEntry("volume.data", "node-data");

            with.provider().delete(seen, Call.QUIET);

            assertThat(front.cloud().named("image", "ds-lab-node-data")).isSameAs(disk);
        }
    }

    @Test
    void aDataDiskIsAttachedAndDetachedWhileTheMachineRuns() {
        try (var front = front("6.8.3")) {
            var without = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}").all();
            var with = new Made(
                            front,
                            "{groups: {node: {volumes: {data: {size: 20GiB}}}}}",
                            "{node: {image: debian-12, memory: 512MiB}}")
                    .surroundings();

            with.provider().update(with.seen(Kinds.VM, "node"), with.resource(Kinds.VM, "node"), Call.QUIET);
            assertThat(with.seen(Kinds.VM, "node").attributes())
                    .isEqualTo(with.resource(Kinds.VM, "node").values());

            with.provider().update(with.seen(Kinds.VM, "node"), without.resource(Kinds.VM, "node"), Call.QUIET);
            assertThat(with.seen(Kinds.VM, "node").attributes()).doesNotContainKey("volume.data");
            assertThat(front.sent()).doesNotContain("one.vm.resize");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"5.12.0", "6.8.3"})
    void marketplaceAppBecomesAnImageOnce(String version) {
        try (var front = front(version)) {
            var made = new Made(
                            front,
                            "{images: {debian-12: {app: Debian 12}}}",
                            "{node: {image: debian-12, memory: 512MiB, count: 2}}")
                    .all();

            var image = front.cloud().named("image", "ds-lab-debian-12");
            assertThat(text(image.template, "FROM_APP"))
                    .isEqualTo(String.valueOf(front.cloud().named("app", "Debian 12").id));
            assertThat(made.vector("node-2", "DISK")).containsEntry("IMAGE_ID", String.valueOf(image.id));
        }
    }

    @Test
    void imageFromAFileHasTheFormatKeyOfTheVersion() {
        for (var version : List.of("5.12.0", "6.8.3")) {
            try (var front = StandIn.start(version, folder.resolve(version))) {
                new Made(
                                front,
                                "{images: {debian-12: {path: /var/tmp/debian.qcow2}}}",
                                "{node: {image: debian-12, memory: 512MiB}}")
                        .all();

                var image = front.cloud().named("image", "ds-lab-debian-12");
                assertThat(text(image.template, "PATH")).isEqualTo("/var/tmp/debian.qcow2");
                assertThat(text(image.template, version.startsWith("5") ? "DRIVER" : "FORMAT"))
                        .isEqualTo("qcow2");
            }
        }
    }

    @Test
    void foreignRuleOfASecurityGroupIsReportedAndRemoved() {
        try (var front = front("6.8.3")) {
            var made = new Made(
                            front, "{network: {sshFrom: [192.0.2.0/24]}}", "{node: {image: debian-12, memory: 512MiB}}")
                    .all();
            var group = front.cloud().named("secgroup", "ds-lab-node");
            assertThat(made.seen(Kinds.SECURITY_GROUP, "node").attributes())
                    .containsEntry("rules", "tcp 22 from 192.0.2.0-192.0.2.255");
            group.template.add(new Attribute(
                    "RULE", "", new TreeMap<>(Map.of("PROTOCOL", "ALL", "RULE_TYPE", "inbound", "NETWORK_ID", "3"))));
            var opened = made.seen(Kinds.SECURITY_GROUP, "node");
            assertThat(opened.attributes())
                    .containsEntry("rules", "all from network 3; tcp 22 from 192.0.2.0-192.0.2.255");

            made.provider().update(opened, made.resource(Kinds.SECURITY_GROUP, "node"), Call.QUIET);

            assertThat(made.seen(Kinds.SECURITY_GROUP, "node").attributes())
                    .isEqualTo(made.resource(Kinds.SECURITY_GROUP, "node").values());
        }
    }
}
