package io.deepsite.lxd;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.DiagnosticPrinter;
import io.deepsite.diag.Failure;
import io.deepsite.lxd.LxdMachines.CharacterDevice;
import io.deepsite.lxd.LxdMachines.Infiniband;
import io.deepsite.lxd.LxdMachines.MigSlice;
import io.deepsite.provider.Introduction;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Sites;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.Name;
import io.deepsite.site.PciAddress;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.Size;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Path;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.node.ObjectNode;

/** What deepsite says to users of Incus, and what it asks of it, where that differs from LXD. */
final class IncusTest {
    private static final String SOCKET = "unix:///var/lib/incus/unix.socket";
    private static final PciAddress CARD = new PciAddress("0000:65:00.0");
    private static final Faults FAULTS = new Faults(new DaemonAddress(Daemon.INCUS, SOCKET));

    @TempDir
    private Path folder;

    @Test
    void connectionFaultsNameItsOwnCommandsAndFiles() {
        reads("incus/DS2001-not-running", FAULTS.unreachable(new ConnectException("Connection refused")));
        reads("incus/DS2101-no-rights", FAULTS.unreachable(new IOException("Permission denied")));
        reads("incus/DS2102-not-trusted", FAULTS.refused(new Refusal(403, "GET /1.0/images", "not authorized")));
        assertReads("incus/DS1220-no-password", () -> enrol(Introduction.Kind.PASSWORD, "hunter2"));
        assertReads("incus/DS2117-not-a-token", () -> enrol(Introduction.Kind.TOKEN, "hunter2"));
    }

    @Test
    void imageOfAProgramIsRefused() {
        assertReads(
                "incus/DS2125-image-of-a-program",
                () -> Recorded.compile(
                        Recorded.host(tree -> {
                            incus(tree);
                            tree.path("images")
                                    .forEach(image -> ((ObjectNode) image)
                                            .putObject("properties")
                                            .put("type", "oci"));
                        }),
                        Sites.site(
                                "lab",
                                SampleSettings.at(SOCKET, Recorded.POOL, "lxdbr0")
                                        .incus(),
                                Map.of("m", Sites.single("debian/12", 1, "256MiB"))),
                        Requirements.NONE));
    }

    /** Every message that a plan, a call or an enrolment can end with, as far as a recorded host can bring it about. */
    @ParameterizedTest
    @EnumSource
    void messagesNameTheDaemonThatTheSiteIsAt(Daemon daemon) {
        var said = faults(daemon).stream().map(DiagnosticPrinter::print).collect(Collectors.joining("\n"));

        assertThat(faults(daemon)).hasSizeGreaterThan(25);
        if (daemon == Daemon.INCUS) {
            assertThat(said).doesNotContainIgnoringCase("lxd").doesNotContainIgnoringCase("lxc");
            assertThat(said).contains("provider.incus.", "incus query /1.0/resources");
        } else {
            assertThat(said).doesNotContainIgnoringCase("incus");
            assertThat(said).contains("provider.lxd.", "lxc query /1.0/resources");
        }
    }

    private List<Diagnostic> faults(Daemon daemon) {
        var all = new ArrayList<Diagnostic>();
        for (var endpoint : List.of("unix:///run/socket", "https://host.example:8443")) {
            var faults = new Faults(new DaemonAddress(daemon, endpoint));
            Stream.of(
                            faults.unreachable(new ConnectException("Connection refused")),
                            faults.unreachable(new IOException("Permission denied")),
                            faults.unreachable(new IOException(new CertificateException("another"))),
                            faults.unreachable(new SSLException("Received fatal alert: bad_certificate")),
                            faults.refused(new Refusal(403, "GET /1.0", "not authorized")),
                            faults.refused(new Refusal(412, "PUT /1.0", "changed")),
                            faults.refused(new Refusal(400, "PUT /1.0", "no space left on device")),
                            faults.refused(new Refusal(400, "PUT /1.0", "Invalid PCI address")),
                            faults.refused(new Refusal(400, "PUT /1.0", "Failed to load kernel module 'overlay'")),
                            faults.refused(new Refusal(400, "PUT /1.0", "bad")),
                            faults.interrupted(),
                            faults.nameTaken("instance", "lab-m"))
                    .flatMap(failure -> failure.diagnostics().stream())
                    .forEach(all::add);
        }
        all.addAll(told(() -> enrol(daemon, "unix:///run/socket", Introduction.Kind.TOKEN, "x")));
        all.addAll(told(() -> enrol(daemon, "https://localhost:1", Introduction.Kind.TOKEN, "x")));
        all.addAll(told(() -> enrol(daemon, "https://localhost:1", Introduction.Kind.PASSWORD, "x")));
        all.addAll(told(() -> ClientIdentity.certificate(Path.of("/nowhere/client.crt"), daemon)));
        all.addAll(plan(daemon, "br0", _ -> {}, group -> {
            group.profiles = List.of("hugepages");
            group.target = Optional.of("rack1");
            group.virtual = true;
        }));
        all.addAll(plan(
                daemon,
                "br0",
                tree -> tree.putObject("project")
                        .put("name", "lab")
                        .putObject("config")
                        .put("features.networks", "true"),
                group -> {
                    group.runtime = true;
                    group.mig = List.of(new MigSlice(CARD, Optional.empty(), Optional.of(1), Optional.of(0)));
                    group.infiniband = Optional.of(new Infiniband("physical", List.of("ib7")));
                }));
        all.addAll(plan(
                daemon,
                "eth0",
                IncusTest::withOddNetworkAndPool,
                group -> group.devices =
                        Map.of(new Name("xpmem"), new CharacterDevice("/dev/xpmem", Optional.empty(), "0660"))));
        return all;
    }

    private static List<Diagnostic> plan(Daemon daemon, String network, Recorded.Change change, Groups.Change groups) {
        var sample = SampleSettings.at(
                        "unix:///run/socket",
                        new LxdPool("tank", "zfs", Size.parse("8GiB"), Optional.empty(), Optional.empty()),
                        network)
                .group("m", Groups.of(groups));
        var card = new GpuRequest(Optional.of(new Name("nvidia")), Optional.of("k20"), 1, List.of(), Optional.empty());
        var site = Sites.site("lab", of(daemon, sample), Map.of("m", Sites.single("alpine/3.19", 1, "256MiB", card)));
        return told(() -> Recorded.compile(
                Recorded.host(tree -> {
                    tree.putObject("at").put("daemon", daemon.toString()).put("endpoint", "unix:///run/socket");
                    tree.putArray("networks");
                    tree.putArray("instances");
                    change.to(tree);
                }),
                site,
                Requirements.NONE));
    }

    private static void withOddNetworkAndPool(ObjectNode tree) {
        tree.withArray("networks").addObject().put("name", "eth0").put("type", "physical");
        tree.withArray("pools")
                .addObject()
                .put("name", "tank")
                .put("driver", "zfs")
                .put("status", "Errored");
        tree.putObject("paths").putObject("/dev/xpmem").put("forbidden", false).put("why", "It does not exist.");
    }

    private static ProviderSettings of(Daemon daemon, SampleSettings sample) {
        return daemon == Daemon.INCUS ? sample.incus() : sample.lxd();
    }

    private static List<Diagnostic> told(ThrowingCallable what) {
        return catchThrowableOfType(Failure.class, what).diagnostics();
    }

    private List<String> enrol(Introduction.Kind kind, String text) {
        return enrol(Daemon.INCUS, "https://localhost:1", kind, text);
    }

    private List<String> enrol(Daemon daemon, String endpoint, Introduction.Kind kind, String text) {
        var sample = SampleSettings.at(endpoint, Recorded.POOL, "br0")
                .certificates("client.crt", "client.key", "server.crt");
        return new Enrolment((DaemonSettings) of(daemon, sample), folder).by(new Introduction(kind, text));
    }

    private static void incus(ObjectNode tree) {
        tree.putObject("at").put("daemon", "Incus").put("endpoint", SOCKET);
    }

    private static void reads(String name, Failure failure) {
        assertReads(name, () -> {
            throw failure;
        });
    }
}
