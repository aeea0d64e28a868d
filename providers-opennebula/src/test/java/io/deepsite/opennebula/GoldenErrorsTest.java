package io.deepsite.opennebula;

import io.deepsite.opennebula.StandIn.Mishap;
import io.deepsite.opennebula.StandInThing.Attribute;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages if OpenNebula lacks what a site asks for, or answers wrongly. */
final class GoldenErrorsTest {
    private static final String ONE = "{node: {image: debian-12, memory: 512MiB}}";
    private static final String USUAL = "6.8.3";
    private static final Consumer<StandIn> AS_IT_IS = _ -> {};

    @TempDir
    private Path folder;

    static Stream<Arguments> cases() {
        return Stream.of(
                faulty(
                        "credentials/DS2404-password",
                        "{}",
                        ONE,
                        front -> front.cloud()
                                .refuse(
                                        "one.system.version",
                                        0x100,
                                        "[UserInfo] User couldn't be authenticated, aborting call.")),
                faulty(
                        "front-end/DS2406-doctype",
                        "{}",
                        ONE,
                        front -> front.on("one.vmpool.infoextended", Mishap.DOCTYPE_INSIDE)),
                faulty(
                        "front-end/DS2406-arity",
                        "{}",
                        ONE,
                        front -> front.on("one.vmpool.infoextended", Mishap.TWO_PARTS)),
                faulty(
                        "front-end/DS2406-web-page",
                        "{}",
                        ONE,
                        front -> front.next(Mishap.NOT_XML_RPC, Mishap.NOT_XML_RPC, Mishap.NOT_XML_RPC)),
                faulty(
                        "front-end/DS2406-gateway",
                        "{}",
                        ONE,
                        front -> front.next(Mishap.HTTP_502, Mishap.HTTP_502, Mishap.HTTP_502)),
                faulty(
                        "front-end/DS2407-arguments",
                        "{}",
                        ONE,
                        front -> front.on("one.vmpool.infoextended", Mishap.OTHER_ARGUMENTS)),
                of("5.4.1", "front-end/DS2408-too-old", "{}", ONE, AS_IT_IS),
                of("8.2.0", "front-end/DS2408-too-new", "{}", ONE, AS_IT_IS),
                faulty(
                        "front-end/DS2409-forbidden",
                        "{}",
                        ONE,
                        front -> front.cloud().forbid("one.vmpool.infoextended")),
                faulty(
                        "quota/DS2410-user",
                        "{}",
                        "{node: {image: debian-12, memory: 4GiB, count: 3}}",
                        front -> front.cloud()
                                .quotas(
                                        "<VM_QUOTA><VM><VMS>4</VMS><VMS_USED>2</VMS_USED><CPU>-2</CPU><CPU_USED>2</CPU_USED>"
                                                + "<MEMORY>-1</MEMORY><MEMORY_USED>1024</MEMORY_USED></VM></VM_QUOTA>"
                                                + "<DEFAULT_USER_QUOTAS><VM_QUOTA><VM><MEMORY>8192</MEMORY></VM></VM_QUOTA>"
                                                + "</DEFAULT_USER_QUOTAS>",
                                        "")),
                faulty(
                        "quota/DS2410-running",
                        "{}",
                        "{node: {image: debian-12, cpus: 2, memory: 4GiB, count: 3}}",
                        front -> front.cloud()
                                .quotas(
                                        "",
                                        "<VM_QUOTA><VM><VMS>-2</VMS><VMS_USED>9</VMS_USED><RUNNING_VMS>10</RUNNING_VMS>"
                                                + "<RUNNING_VMS_USED>8</RUNNING_VMS_USED><RUNNING_CPU>20</RUNNING_CPU>"
                                                + "<RUNNING_CPU_USED>16</RUNNING_CPU_USED><RUNNING_MEMORY>-2</RUNNING_MEMORY>"
                                                + "<RUNNING_MEMORY_USED>8192</RUNNING_MEMORY_USED></VM></VM_QUOTA>")),
                faulty(
                        "quota/DS2410-group-volumes",
                        "{datastore: default, groups: {node: {volumes: {data: {size: 10GiB}}}}}",
                        ONE,
                        front -> front.cloud()
                                .quotas(
                                        "",
                                        "<DATASTORE_QUOTA><DATASTORE><ID>"
                                                + front.cloud().named("datastore", "default").id
                                                + "</ID><IMAGES>0</IMAGES><IMAGES_USED>3</IMAGES_USED><SIZE>4096</SIZE>"
                                                + "<SIZE_USED>1024</SIZE_USED></DATASTORE></DATASTORE_QUOTA>")),
                faulty("machines/DS2420-image", "{}", "{node: {image: debian-21, memory: 512MiB}}", AS_IT_IS),
                faulty("machines/DS2420-app", "{images: {debian-12: {app: Debian 21}}}", ONE, AS_IT_IS),
                faulty("machines/DS2421-in-error", "{}", ONE, front -> {
                    var image = front.cloud().named("image", "debian-12");
                    image.fields.put("STATE", "5");
                    image.template.add(text("ERROR", "Error copying image in the datastore: disk quota exceeded"));
                }),
                faulty(
                        "machines/DS2421-disabled",
                        "{}",
                        ONE,
                        front ->
                                front.cloud().named("image", "debian-12").fields.put("STATE", "3")),
                faulty("network/DS2422-network", "{network: {existing: lab-nte}}", ONE, AS_IT_IS),
                faulty(
                        "network/DS2423-exhausted",
                        "{network: {existing: lab-net}}",
                        "{node: {image: debian-12, memory: 512MiB, count: 45}}",
                        AS_IT_IS),
                faulty(
                        "network/DS2423-no-range",
                        "{network: {existing: bare}}",
                        ONE,
                        front -> front.cloud().add("network", "bare")),
                faulty(
                        "network/DS2423-own",
                        "{network: {cidr: 10.65.0.0/29}}",
                        "{node: {image: debian-12, memory: 512MiB, count: 9}}",
                        AS_IT_IS),
                faulty(
                        "machines/DS2424-datastore",
                        "{datastore: defualt, groups: {node: {volumes: {data: {size: 1GiB}}}}}",
                        ONE,
                        AS_IT_IS),
                faulty(
                        "machines/DS2425-data-disks",
                        "{groups: {node: {volumes: {data: {size: 1TiB}}}}}",
                        ONE,
                        AS_IT_IS),
                faulty("machines/DS2426-cluster", "{groups: {node: {cluster: defalt}}}", ONE, AS_IT_IS),
                faulty("machines/DS2426-host", "{groups: {node: {hosts: [kvm-2]}}}", ONE, AS_IT_IS),
                faulty("machines/DS2427-template", "{groups: {node: {template: gpu-node}}}", ONE, AS_IT_IS),
                faulty(
                        "machines/DS2428-security-group",
                        "{groups: {node: {securityGroups: [monitoring]}}}",
                        ONE,
                        AS_IT_IS),
                faulty(
                        "machines/DS2429-no-such-card",
                        "{}",
                        "{node: {image: debian-12, gpus: [{vendor: nvidia, model: h200}]}}",
                        GoldenErrorsTest::cards),
                faulty(
                        "machines/DS2429-too-few",
                        "{}",
                        "{node: {image: debian-12, count: 3, gpus: [{vendor: nvidia, model: a100}]}}",
                        GoldenErrorsTest::cards),
                faulty(
                        "machines/DS2429-no-host-seen",
                        "{}",
                        "{node: {image: debian-12, gpus: [{vendor: nvidia}]}}",
                        front -> front.cloud().forbid("one.hostpool.info")),
                faulty(
                        "machines/DS2429-no-such-address",
                        "{}",
                        "{node: {image: debian-12, gpus: [{pci: [\"0000:99:00.0\"]}]}}",
                        GoldenErrorsTest::cards),
                faulty(
                        "machines/DS2430-both-ways",
                        "{groups: {node: {template: gpu-node}}}",
                        ONE,
                        front -> front.cloud()
                                .add("template", "gpu-node")
                                .template
                                .add(new Attribute(
                                        "PCI",
                                        "",
                                        new TreeMap<>(Map.of("SHORT_ADDRESS", "17:00.0", "VENDOR", "10de"))))),
                of(
                        "6.4.7",
                        "machines/DS2431-address",
                        "{}",
                        "{node: {image: debian-12, gpus: [{pci: [\"0000:17:00.0\"]}]}}",
                        GoldenErrorsTest::cards),
                of(
                        "5.12.0",
                        "machines/DS2431-uefi",
                        "{groups: {node: {firmware: /usr/share/OVMF/OVMF_CODE.fd}}}",
                        ONE,
                        AS_IT_IS),
                faulty(
                        "network/DS1221-outside",
                        "{network: {existing: lab-net}, groups: {node: {addresses: [10.1.2.3]}}}",
                        ONE,
                        AS_IT_IS),
                faulty(
                        "network/DS1221-taken",
                        "{network: {existing: lab-net}, groups: {node: {addresses: [192.0.2.12]}}}",
                        ONE,
                        front -> {
                            var other = front.cloud().add("vm", "other");
                            other.template.add(new Attribute(
                                    "NIC",
                                    "",
                                    new TreeMap<>(Map.of(
                                            "NETWORK_ID",
                                            String.valueOf(front.cloud().named("network", "lab-net").id),
                                            "IP",
                                            "192.0.2.12"))));
                        }),
                faulty(
                        "machines/DS2437-safe-folders",
                        "{images: {debian-12: {path: /srv/images/debian.qcow2}}}",
                        ONE,
                        AS_IT_IS),
                faulty(
                        "machines/DS2437-own-folders",
                        "{images: {debian-12: {path: /var/tmp/../lib/one/debian.qcow2}}}",
                        ONE,
                        front -> front.cloud()
                                .named("datastore", "default")
                                .template
                                .clear()),
                faulty("machines/DS2003-vm", "{}", ONE, front -> front.cloud().add("vm", "lab-node")));
    }

    private static void cards(StandIn front) {
        var host = front.cloud().named("host", "kvm-1");
        front.cloud().card(host, "10de 20b5 0302 A100_PCIe 17:00.0");
        front.cloud().card(host, "10de 20b5 0302 A100_PCIe 65:00.0");
        front.cloud().card(host, "8086 154c 0200 Ethernet_Virtual_Function 3b:02.0");
    }

    private static Attribute text(String name, String text) {
        return new Attribute(name, text, new TreeMap<>());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void reportsWhatIsWrongAndHowToFixIt(
            String name, String version, String opennebula, String machines, Consumer<StandIn> change) {
        try (var front = StandIn.start(version, folder.resolve("state"))) {
            change.accept(front);

            ErrorText.says(name, () -> Fronts.compile(front, Fronts.site(opennebula, machines)));
        }
    }

    private static Arguments faulty(String name, String opennebula, String machines, Consumer<StandIn> change) {
        return of(USUAL, name, opennebula, machines, change);
    }

    private static Arguments of(
            String version, String name, String opennebula, String machines, Consumer<StandIn> change) {
        return Arguments.of(name, version, opennebula, machines, change);
    }
}
