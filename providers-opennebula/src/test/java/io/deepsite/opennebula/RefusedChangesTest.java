package io.deepsite.opennebula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Boot.BootFile;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource.Condition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes that OpenNebula or deepsite refuses: the message, and the state afterwards. */
final class RefusedChangesTest {
    @TempDir
    private Path folder;

    private StandIn front(String version) {
        return StandIn.start(version, folder.resolve("state"));
    }

    @Test
    void keysThatAMachineWasNotMadeWithAreRefused() {
        try (var front = front("6.8.3")) {
            var made = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}").all();
            var seen = made.seen(Kinds.VM, "node");

            made.provider().place(seen, Made.BOOT, Call.QUIET);

            var others = new Boot(List.of(new BootFile(Boot.LOGIN_KEYS, 0600, "ssh-ed25519 BBBB of-another\n")));
            ErrorText.says("machines/DS2435-keys", () -> {
                made.provider().place(seen, others, Call.QUIET);
                return made;
            });
        }
    }

    @Test
    void dataDiskGrowsAndNeverShrinks() {
        try (var front = front("6.8.3")) {
            var small = new Made(front, volume("10GiB"), "{node: {image: debian-12, memory: 512MiB}}").all();
            var large = new Made(front, volume("20GiB"), "{node: {image: debian-12, memory: 512MiB}}");

            large.provider()
                    .update(
                            large.seen(Kinds.VOLUME, "node-data"),
                            large.resource(Kinds.VOLUME, "node-data"),
                            Call.QUIET);

            assertThat(front.cloud().named("image", "ds-lab-node-data").field("SIZE"))
                    .isEqualTo("20480");
            assertThat(large.seen(Kinds.VOLUME, "node-data").attributes())
                    .isEqualTo(large.resource(Kinds.VOLUME, "node-data").values());
            ErrorText.says("machines/DS2002-disk-shrinks", () -> {
                small.provider()
                        .update(
                                small.seen(Kinds.VOLUME, "node-data"),
                                small.resource(Kinds.VOLUME, "node-data"),
                                Call.QUIET);
                return small;
            });
        }
    }

    @Test
    void dataDiskIsBesideTheMachinesImage() {
        try (var front = front("6.8.3")) {
            front.cloud().add("datastore", "newest").fields.put("TYPE", "0");
            var beside = front.cloud().named("image", "debian-12").field("DATASTORE_ID");

            var made = new Made(front, volume("10GiB"), "{node: {image: debian-12, memory: 512MiB}}").all();

            assertThat(front.cloud().named("image", "ds-lab-node-data").field("DATASTORE_ID"))
                    .isEqualTo(beside);
            assertThat(made.seen(Kinds.VOLUME, "node-data").attributes())
                    .isEqualTo(made.resource(Kinds.VOLUME, "node-data").values());
        }
    }

    @Test
    void ofImagesWithOneNameTheOldestIsMeant() {
        try (var front = front("6.8.3")) {
            var oldest = front.cloud().named("image", "debian-12");
            front.withImage("debian-12");

            var made = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}");

            assertThat(made.resource(Kinds.VM, "node").values())
                    .containsEntry(VmAttributes.FINGERPRINT, String.valueOf(oldest.id));
        }
    }

    @Test
    void droppedGatewayAndNameServersAreRemoved() {
        try (var front = front("6.8.3")) {
            new Made(
                            front,
                            "{network: {gateway: 10.65.0.1, dns: [10.0.0.2]}}",
                            "{node: {image: debian-12, memory: 512MiB}}")
                    .surroundings();
            var without = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}");
            var desired = without.resource(Kinds.NETWORK, "net");

            without.provider().update(without.seen(Kinds.NETWORK, "net"), desired, Call.QUIET);

            assertThat(without.seen(Kinds.NETWORK, "net").attributes()).isEqualTo(desired.values());
        }
    }

    @Test
    void droppedHostsAreNoLongerRequired() {
        try (var front = front("6.8.3")) {
            var machines = "{node: {image: debian-12, memory: 512MiB}}";
            var bound = new Made(front, "{groups: {node: {hosts: [kvm-1]}}}", machines).all();
            assertThat(StandInThing.text(bound.vm("node").userTemplate, "SCHED_REQUIREMENTS"))
                    .isPresent();
            var free = new Made(front, "{}", machines);

            free.provider().update(free.seen(Kinds.VM, "node"), free.resource(Kinds.VM, "node"), Call.QUIET);

            assertThat(StandInThing.text(free.vm("node").userTemplate, "SCHED_REQUIREMENTS"))
                    .isEmpty();
        }
    }

    @Test
    void releasedNetworkHasNoTags() {
        try (var front = front("6.8.3")) {
            var made = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}").surroundings();

            made.provider().release(made.seen(Kinds.NETWORK, "net"), Call.QUIET);

            assertThat(StandInThing.vectors(front.cloud().named("network", "ds-lab-net").template, Ownership.ATTRIBUTE))
                    .isEmpty();
        }
    }

    @Test
    void networkThatKeptTheOpenGroupIsClosed() {
        try (var front = front("6.8.3")) {
            var made = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}");
            front.on("one.vn.update", StandIn.Mishap.OTHER_ARGUMENTS);
            assertThatThrownBy(made::surroundings).isInstanceOf(Failure.class);
            var desired = made.resource(Kinds.NETWORK, "net");
            assertThat(made.seen(Kinds.NETWORK, "net").attributes()).containsKey(NetworkDesign.OPEN);

            made.provider().update(made.seen(Kinds.NETWORK, "net"), desired, Call.QUIET);

            assertThat(made.seen(Kinds.NETWORK, "net").attributes()).isEqualTo(desired.values());
        }
    }

    @Test
    void machineIsCreatedRightAfterItsNetwork() {
        try (var front = front("6.10.0")) {
            front.cloud().networks().next("2", "2", "1");

            var made = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}").all();

            assertThat(made.seen(Kinds.VM, "node").condition()).isEqualTo(Condition.READY);
        }
    }

    @Test
    void networkInErrorIsReportedAndThenMadeAnew() {
        try (var front = front("6.10.0")) {
            front.cloud().networks().next("5");
            var made = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}");

            ErrorText.says("network/DS2438-in-error", made::surroundings);
            assertThat(made.seen(Kinds.NETWORK, "net").condition()).isEqualTo(Condition.HALF_MADE);

            made.all();

            assertThat(made.seen(Kinds.NETWORK, "net").condition()).isEqualTo(Condition.READY);
        }
    }

    @Test
    void deletedNetworkIsGone() {
        try (var front = front("6.10.0")) {
            var made = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}").surroundings();

            made.provider().delete(made.seen(Kinds.NETWORK, "net"), Call.QUIET);

            assertThat(front.cloud().things()).doesNotContain("network ds-lab-net");
        }
    }

    private static String volume(String size) {
        return "{groups: {node: {volumes: {data: {size: " + size + "}}}}}";
    }

    @Test
    void objectInUseIsReportedAndStays() {
        try (var front = front("6.8.3")) {
            var made = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}").all();

            ErrorText.says("machines/DS2434-in-use", () -> {
                made.provider().delete(made.seen(Kinds.NETWORK, "net"), Call.QUIET);
                return made;
            });
            assertThat(front.cloud().named("network", "ds-lab-net")).isNotNull();
        }
    }

    @Test
    void nameOfAnotherSecurityGroupIsRefused() {
        try (var front = front("6.8.3")) {
            var made = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}");
            front.cloud().add("secgroup", "ds-lab-node");

            var failure = catchThrowableOfType(Failure.class, made::surroundings);

            assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.NAME_TAKEN);
            assertThat(front.sent()).doesNotContain("one.vm.allocate");
        }
    }

    @Test
    void quotaDatastoreAndLeaseTakenMeanwhileAreReported() {
        try (var front = front("6.8.3")) {
            var made = new Made(
                    front,
                    "{groups: {node: {volumes: {data: {size: 20GiB}}}}}",
                    "{node: {image: debian-12, memory: 512MiB}}");
            front.cloud().refuse("one.image.allocate", 0x800, "[one.image.allocate] Not enough space in datastore");
            ErrorText.says("machines/DS2425-meanwhile", made::surroundings);

            made.surroundings();
            front.cloud()
                    .refuse(
                            "one.vm.allocate",
                            0x200,
                            "[one.vm.allocate] User [2] : user [2] limit of 4 reached for VMS quota in VM.");
            ErrorText.says("quota/DS2410-meanwhile", made::all);
            front.cloud()
                    .refuse(
                            "one.vm.allocate",
                            0x2000,
                            "[one.vm.allocate] Cannot get IP/MAC lease from virtual network 0.");
            ErrorText.says("network/DS2423-meanwhile", made::all);
            front.cloud()
                    .refuse(
                            "one.vm.allocate",
                            0x200,
                            "[one.vm.allocate] VM Template includes a restricted attribute PCI/VENDOR.");
            ErrorText.says("machines/DS2409-restricted", made::all);
        }
    }

    /** The sentence is that of oned 7.4.0, which has VN_MAD in VNET_RESTRICTED_ATTR by default. */
    @Test
    void attributeOfANetworkThatIsReservedIsExplained() {
        try (var front = front("7.4.0")) {
            var made = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}");
            front.cloud()
                    .refuse(
                            "one.vn.allocate",
                            0x200,
                            "[one.vn.allocate] User [2] : VNET Template includes a restricted attribute VN_MAD.");

            ErrorText.says("network/DS2409-restricted", made::all);
        }
    }

    /** The sentence is that of oned 6.10.0. */
    @Test
    void rightsThatANetworkNeedsAreNamed() {
        try (var front = front("6.8.3")) {
            front.cloud()
                    .refuse(
                            "one.vn.allocate",
                            0x200,
                            "[one.vn.allocate] User [2] : Not authorized to perform CREATE NET; Not authorized to perform"
                                    + " ADMIN CLUSTER [0].");

            ErrorText.says(
                    "network/DS2409-rights",
                    () -> new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}").surroundings());
        }
    }

    @Test
    void unreachableFrontEndIsReportedWithWhatIsLeft() {
        var front = front("6.8.3");
        var made = new Made(front, "{}", "{node: {image: debian-12, memory: 512MiB}}").surroundings();
        front.close();

        ErrorText.says("front-end/DS2001-gone", made::all);
    }

    @Test
    void untrustedServerIsNotCalled() {
        ErrorText.says("credentials/DS2405-certificate", () -> {
            var identity = SelfSigned.of("localhost");
            try (var front = StandIn.start("6.8.3", folder.resolve("tls"), identity.server())) {
                return Fronts.compile(front, Fronts.site("{}", "{node: {image: debian-12}}"));
            }
        });
    }

    @Test
    void theSitesOwnAuthorityIsTrusted() throws IOException {
        var identity = SelfSigned.of("localhost");
        Files.createDirectories(folder.resolve("home/.one"));
        Files.writeString(folder.resolve("home/.one/one_auth"), StandIn.SESSION);
        Files.writeString(folder.resolve("ca.pem"), identity.pem());
        try (var front = StandIn.start("6.8.3", folder.resolve("tls"), identity.server())) {
            var site =
                    Fronts.site("{endpoint: \"" + front.url() + "\", authority: ca.pem}", "{node: {image: debian-12}}");
            var settings = (OpenNebulaSettings) site.provider();
            var connection =
                    new ConnectionReader(new Environment(Map.of(), folder.resolve("home")), settings, folder).read();
            var time = new Fronts.Time();

            assertThat(new Api(connection.client(time)).version().text()).isEqualTo("6.8.3");
        }
    }

    @Test
    void copiedImageNoLongerNeedsItsFile() {
        try (var front = front("6.8.3")) {
            var images = "{images: {debian-12: {path: /var/tmp/debian.qcow2}}}";
            var machines = "{node: {image: debian-12, memory: 512MiB}}";
            new Made(front, images, machines).all();
            front.cloud()
                    .named("datastore", "default")
                    .template
                    .removeIf(one -> one.name().equals("SAFE_DIRS"));

            assertThat(Fronts.compile(front, Fronts.site(images, machines)).resources())
                    .isNotEmpty();
            var other = Fronts.site(images.replace("debian.q", "other.q"), machines);
            var refused = catchThrowableOfType(Failure.class, () -> Fronts.compile(front, other));
            assertThat(refused.diagnostics().getFirst().code()).isEqualTo(Code.OPENNEBULA_FILE_RESTRICTED);
        }
    }
}
