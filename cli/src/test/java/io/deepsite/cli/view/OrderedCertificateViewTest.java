package io.deepsite.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.remote.HostKey;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class OrderedCertificateViewTest {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
    private static final String KEY =
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINpLe3FlKPn3sbHzgV0ZmpvF9LZmxzlFYS4MMe1x5rV3";

    private static OrderedCertificateView view(String hosts, String knownHosts) {
        return new OrderedCertificateView(
                JsonMapper.shared()
                        .readTree(
                                "{\"certificate\": \"x\", \"account\": \"u-alice\", \"until\": \"2026-01-02T05:04:05Z\","
                                        + " \"hosts\": " + hosts + ", \"knownHosts\": \"" + knownHosts + "\"}"),
                NOW);
    }

    @Test
    void aCertificateBesideItsKeyNeedsNoOption() {
        var text = view("{\"node-1\": \"10.0.0.3\", \"head\": \"10.0.0.2\"}", "10.0.0.2 " + KEY + "\\n")
                .text(Path.of("/home/alice/id-cert.pub"), Optional.of(Path.of("/home/alice/id")));

        assertThat(text).isEqualTo("""
                u-alice logs in with /home/alice/id-cert.pub until 2026-01-02 05:04 UTC, in 2 h.
                2 hosts accept it: head, node-1. Log in to head:

                    ssh -i /home/alice/id u-alice@10.0.0.2

                The first time ssh asks about the host's key, which is %s.
                """.formatted(HostKey.parse(KEY).fingerprint()));
    }

    @Test
    void anotherPlaceIsNamed() {
        var text = view("{\"head\": \"10.0.0.2\"}", "").text(Path.of("my cert.pub"), Optional.empty());

        assertThat(text)
                .contains("One host accepts it: head.", "ssh -o 'CertificateFile=my cert.pub' u-alice@10.0.0.2")
                .doesNotContain("asks about");
    }

    @Test
    void aSiteWithoutHostsSaysSo() {
        assertThat(view("{}", "").text(Path.of("c"), Optional.empty())).endsWith("No host accepts it yet.\n");
    }
}
