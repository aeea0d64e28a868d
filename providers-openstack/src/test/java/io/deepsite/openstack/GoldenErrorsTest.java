package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.DiagnosticPrinter;
import io.deepsite.diag.Failure;
import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/** Messages about a site that asks for what the cloud does not have. */
final class GoldenErrorsTest {
    private static final String ONE = "{node: {image: debian-12, memory: 512MiB}}";
    private static final Consumer<ObjectNode> AS_IT_IS = _ -> {};
    private static final Consumer<ObjectNode> SHARED = Recorded::shareNetwork;

    static Stream<Arguments> cases() {
        return Stream.of(
                faulty("machines/DS2320-image", network(""), "{node: {image: debian-21, memory: 512MiB}}", AS_IT_IS),
                faulty("machines/DS2321-flavor", network("groups: {node: {flavor: smal}}"), ONE, AS_IT_IS),
                faulty(
                        "machines/DS2322-named-flavor",
                        network("groups: {node: {flavor: small}}"),
                        "{node: {image: debian-12, cpus: 2, memory: 4GiB}}",
                        AS_IT_IS),
                faulty(
                        "machines/DS2323-no-flavor",
                        network(""),
                        "{node: {image: debian-12, memory: 640GiB}}",
                        AS_IT_IS),
                faulty(
                        "machines/DS2324-gpu",
                        network(""),
                        "{node: {image: debian-12, gpus: [{vendor: nvidia, model: h200, count: 2}]}}",
                        AS_IT_IS),
                faulty(
                        "network/DS2325-not-admin",
                        network("createFlavors: true"),
                        "{node: {image: debian-12, memory: 640GiB}}",
                        AS_IT_IS),
                faulty(
                        "network/DS2325-outside",
                        "{network: {externalNetwork: {physical: physnet1, cidr: 203.0.113.0/24, gateway: 203.0.113.1,"
                                + " first: 203.0.113.100, last: 203.0.113.199}}}",
                        ONE,
                        AS_IT_IS),
                faulty("network/DS2326-external", "{network: {external: pubic}}", ONE, AS_IT_IS),
                faulty("network/DS2326-existing", "{network: {existing: lab-net}}", ONE, AS_IT_IS),
                faulty("network/DS2327-no-subnet", "{network: {existing: public}}", ONE, AS_IT_IS),
                faulty(
                        "network/DS2327-too-many",
                        "{network: {cidr: 10.64.0.0/28}}",
                        "{node: {image: debian-12, memory: 512MiB, count: 20}}",
                        AS_IT_IS),
                faulty(
                        "machines/DS2328-security-group",
                        network("groups: {node: {securityGroups: [monitoring]}}"),
                        ONE,
                        AS_IT_IS),
                faulty("machines/DS2329-zone", network("groups: {node: {zone: ost}}"), ONE, AS_IT_IS),
                faulty(
                        "machines/DS2330-volume-type",
                        network("groups: {node: {volumes: {data: {size: 1GiB, type: sdd}}}}"),
                        ONE,
                        tree -> tree.withArray("volume_types").addObject().put("name", "ssd")),
                faulty(
                        "services/DS2308-no-volumes",
                        network("groups: {node: {volumes: {data: {size: 1GiB}}}}"),
                        ONE,
                        AS_IT_IS),
                faulty(
                        "machines/DS2331-too-large",
                        network("groups: {node: {userData: node.sh}}"),
                        ONE,
                        tree -> userData(tree, 65_536, "#!/bin/sh")),
                faulty(
                        "machines/DS2331-of-no-kind",
                        network("groups: {node: {userData: node.sh}}"),
                        ONE,
                        tree -> userData(tree, 10, "packages: []")),
                faulty(
                        "network/DS1221-outside",
                        "{network: {existing: lab-net}, groups: {node: {addresses: [10.1.2.3]}}}",
                        ONE,
                        SHARED),
                faulty(
                        "network/DS1221-taken",
                        "{network: {existing: lab-net}, groups: {node: {addresses: [192.0.2.1]}}}",
                        ONE,
                        SHARED),
                faulty(
                        "quota/DS2312-whole-plan",
                        network(""),
                        "{node: {image: debian-12, memory: 512MiB, count: 20}}",
                        tree -> {
                            var quotas = tree.putObject("quotas");
                            quotas.putArray("CORES").add(20).add(4);
                            quotas.putArray("PORTS").add(500).add(0);
                            quotas.putArray("SECURITY_GROUP_RULES").add(2).add(0);
                        }),
                faulty(
                        "machines/DS2003-server",
                        network(""),
                        ONE,
                        tree -> tree.withArray("servers")
                                .addObject()
                                .put("id", "1")
                                .put("name", "lab-node")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void saysWhatIsWrongAndHowToMendIt(String name, String openstack, String machines, Consumer<ObjectNode> change) {
        var site = Recorded.site(openstack, machines);

        var failure = catchThrowableOfType(Failure.class, () -> Recorded.compile(Recorded.empty(change), site));

        assertThat(failure).isNotNull();
        assertThat(failure.diagnostics())
                .anySatisfy(fault -> assertThat(fault.code().id()).isEqualTo(Golden.code(name)));
        Golden.assertSame(
                Path.of("src/test/resources/golden/errors", name, "stderr.txt"),
                failure.diagnostics().stream().map(DiagnosticPrinter::print).collect(Collectors.joining("\n")));
    }

    private static String network(String more) {
        return "{network: {external: public}" + (more.isEmpty() ? "" : ", " + more) + "}";
    }

    private static void userData(ObjectNode tree, long bytes, String firstLine) {
        tree.putObject("user_data").putArray("node").add("node.sh").add(bytes).add(firstLine);
    }

    private static Arguments faulty(String name, String openstack, String machines, Consumer<ObjectNode> change) {
        return Arguments.of(name, openstack, machines, change);
    }
}
