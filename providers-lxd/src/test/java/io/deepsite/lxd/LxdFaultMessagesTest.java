package io.deepsite.lxd;

import static io.deepsite.diag.FaultMessage.assertReads;

import io.deepsite.diag.Failure;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Requirements.Group;
import io.deepsite.provider.Requirements.SharedVolume;
import io.deepsite.provider.Sites;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Name;
import io.deepsite.site.Size;
import java.io.IOException;
import java.net.ConnectException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

/** Messages of faults that would need a special server, user or cluster. */
class LxdFaultMessagesTest {
    @Test
    void reportsWhyLxdDoesNotAnswer() {
        reads("connection/DS2001-https", https().unreachable(new ConnectException("Connection refused")));
        reads("connection/DS2101-no-rights", socket().unreachable(new IOException("Permission denied")));
    }

    @Test
    void reportsWhichCertificateIsWrong() {
        var shown = new SSLHandshakeException("not the pinned one");
        shown.initCause(new CertificateException("not the pinned one"));

        reads("connection/DS2103-another-certificate", https().unreachable(shown));
        reads(
                "connection/DS2102-certificate-refused",
                https().unreachable(new SSLException("Received fatal alert: bad_certificate")));
    }

    /** A name with two addresses: the first refuses the connection, and fails first. */
    @Test
    void reportsTheCertificateAlthoughAnotherAddressRefusedFirst() {
        var fault = new ConnectException("Connection refused");
        fault.addSuppressed(
                new SSLHandshakeException("not the pinned one", new CertificateException("not the pinned one")));

        reads("connection/DS2103-another-certificate", https().unreachable(fault));
    }

    @Test
    void reportsWhatASiteCannotHave() {
        var demo = Recorded.demo(1);
        var large = new Group(false, List.of(), List.of(), 2, Optional.of(Size.parse("1GiB")));

        assertReads(
                "machines/DS4010-too-small",
                () -> Recorded.compile(
                        Recorded.host(), demo, new Requirements(Map.of(new Name("head"), large), List.of())));
        assertReads(
                "network/DS1221-virtual-address-elsewhere",
                () -> Recorded.compile(Recorded.host(), demo, free("192.0.2.250")));
        assertReads(
                "network/DS1221-virtual-address-taken",
                () -> Recorded.compile(Recorded.host(), demo, free("10.77.0.241")));
        assertReads(
                "machines/DS2114-name-too-long",
                () -> Recorded.compile(
                        Recorded.host(),
                        Sites.site(
                                "s".repeat(40),
                                Recorded.settings(),
                                Map.of("g".repeat(40), Sites.single("debian/12", 1, "256MiB"))),
                        Requirements.NONE));
        assertReads(
                "machines/DS1384-volume-elsewhere",
                () -> Recorded.compile(
                        Recorded.host(KeptVolumeTest::elsewhere), Recorded.demo(1), KeptVolumeTest.keptHome(true)));
        assertReads(
                "machines/DS2115-two-sizes",
                () -> Recorded.compile(
                        Recorded.host(),
                        demo,
                        new Requirements(
                                Map.of(new Name("head"), home("1GiB"), new Name("node"), home("2GiB")), List.of())));
    }

    private static Requirements free(String address) {
        return new Requirements(Map.of(), List.of(), List.of(IpAddress.parse(address)), List.of());
    }

    private static Group home(String size) {
        return new Group(
                false,
                List.of(new SharedVolume("home", "/home", Optional.of(Size.parse(size)), false)),
                List.of(),
                1,
                Optional.empty());
    }

    private static Faults https() {
        return new Faults(new DaemonAddress(Daemon.LXD, "https://lxd.example:8443"));
    }

    private static Faults socket() {
        return new Faults(new DaemonAddress(Daemon.LXD, "unix:///var/lib/lxd/unix.socket"));
    }

    private static void reads(String name, Failure failure) {
        assertReads(name, () -> {
            throw failure;
        });
    }
}
