package io.deepsite.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.operations.UserCertificates;
import io.deepsite.site.SshJump;
import io.deepsite.state.RecordedHost;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CertificateViewTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final SshJump GATE =
            new SshJump("gate.example", Optional.of("jumper"), 2222, Optional.empty(), Optional.empty());

    @Test
    void prefersAHostThatIsReachedDirectly() {
        var text = text(
                Map.of("compute", host("10.0.0.2", 22, "head"), "head", host("192.0.2.1", 22, null)), Optional.empty());

        assertThat(text)
                .contains("2 hosts accept it: compute, head. Log in to head:")
                .contains("    ssh alice@192.0.2.1\n");
    }

    @Test
    void goesThroughAHostOfTheSite() {
        var head = host("192.0.2.1", 2022, "gone");

        assertThat(text(Map.of("compute", host("10.0.0.2", 22, "head"), "head", head), Optional.of(GATE)))
                .contains("    ssh -J alice@192.0.2.1:2022 alice@10.0.0.2\n");
    }

    @Test
    void goesThroughTheJumpHostOfTheSite() {
        assertThat(text(Map.of("head", host("10.0.0.1", 22, null)), Optional.of(GATE)))
                .contains("    ssh -J gate.example:2222 alice@10.0.0.1\n");
    }

    @Test
    void saysThatTheLeaseEndsIt() {
        var hosts = new TreeMap<>(Map.of("head", host("10.0.0.1", 22, null)));
        var signed =
                new UserCertificates.Signed("x", List.of("alice"), "id", "1", NOW, NOW.plusSeconds(7200), true, hosts);

        assertThat(new CertificateView("alice", "lab", signed, Optional.empty(), NOW)
                        .text(Path.of("a-cert.pub"), Optional.of(Path.of("a"))))
                .startsWith("""
                        alice logs in with a-cert.pub until 2026-01-02 05:04 UTC, in 2 h; the site's lease ends then.
                        One host accepts it: head. Log in to head:

                            ssh -i a alice@10.0.0.1
                        """);
    }

    private static String text(Map<String, RecordedHost> hosts, Optional<SshJump> jump) {
        var signed = new UserCertificates.Signed(
                "x", List.of("alice"), "id", "1", NOW, NOW.plusSeconds(7200), false, new TreeMap<>(hosts));
        return new CertificateView("alice", "lab", signed, jump, NOW)
                .text(Path.of("a-cert.pub"), Optional.of(Path.of("a")))
                .replace("ssh -i a ", "ssh ");
    }

    private static RecordedHost host(String address, int port, String via) {
        return new RecordedHost(address, port, "root", null, via, false, null, new TreeMap<>());
    }
}
