package io.deepsite.site.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.slurm.Slurm;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.lxd.LxdPool;
import io.deepsite.lxd.LxdSettings;
import io.deepsite.site.LeaseTerms;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import io.deepsite.site.Span;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteLoaderTest {
    private static final String SITE = """
            apiVersion: deepsite/v1
            site: demo
            provider:
              lxd: {}
            machines:
              head: {image: debian/12}
              node: {image: debian/12, count: 2}
            clusters:
              hpc:
                kind: slurm
                controller: head
                compute: [node]
            """;

    private static LoadResult load(String text, String... set) {
        var values = new LinkedHashMap<String, String>();
        for (int i = 0; i < set.length; i += 2) {
            values.put(set[i], set[i + 1]);
        }
        return TestSites.load("site.yaml", text, values);
    }

    private static Site site(String text, String... set) {
        var result = load(text, set);
        assertThat(result.diagnostics()).isEmpty();
        return result.orFail();
    }

    @Test
    void fillsInEveryDefault() {
        var site = site(SITE);

        var lxd = (LxdSettings) site.provider();
        assertThat(lxd.endpoint()).isEqualTo("unix:///var/lib/lxd/unix.socket");
        assertThat(lxd.pool())
                .isEqualTo(new LxdPool("deepsite", "btrfs", Size.parse("20GiB"), Optional.empty(), Optional.empty()));
        assertThat(lxd.network()).isEqualTo("lxdbr0");
        assertThat(site.ssh().port()).isEqualTo(22);
        assertThat(site.verify().maxAge()).isEqualTo(Span.parse("24h"));
        assertThat(site.lease()).isEmpty();
        var node = site.machines().get(new Name("node"));
        assertThat(node).isNotNull();
        assertThat(node.cpus()).isEqualTo(1);
        assertThat(node.memory()).isEqualTo(Size.parse("1GiB"));
        var slurm = (Slurm) site.clusters().get(new Name("hpc"));
        assertThat(slurm).isNotNull();
        assertThat(slurm.accounting()).isTrue();
        assertThat(slurm.home().shared()).isTrue();
        assertThat(slurm.partitions()).isEmpty();
    }

    @Test
    void keepsTheOrderOfTheFile() {
        var site = site(SITE.replace("  head: {image", "  zeta: {image: a}\n  alpha: {image: a}\n  head: {image"));

        assertThat(site.machines().keySet()).extracting(Name::value).containsExactly("zeta", "alpha", "head", "node");
    }

    @Test
    void readsWhatIsWritten() {
        var site = site(SITE + """
                lease: {duration: 4h, max: 24h}
                users:
                  alice:
                    uid: 2001
                    groups: [physics]
                    keys: ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f alice"]
                """);

        assertThat(site.lease()).contains(LeaseTerms.of(Span.parse("4h"), Optional.of(Span.parse("24h"))));
        assertThat(site.users().get(new Name("alice"))).satisfies(alice -> {
            assertThat(alice.groups()).containsExactly(new Name("physics"));
            assertThat(alice.shell()).isEqualTo("/bin/bash");
        });
    }

    @Test
    void takesParametersFromTheCommandLineElseTheirDefault() {
        String text = SITE.replace("count: 2", "count: \"${nodes}\"") + """
                parameters:
                  nodes: {type: integer, default: 3}
                """;

        assertThat(site(text).machineNames(new Name("node"))).hasSize(3);
        assertThat(site(text, "nodes", "5").machineNames(new Name("node"))).hasSize(5);
        assertThat(load(text, "nodes", "5").parameters()).isEqualTo(Map.of("nodes", "5"));
    }

    @Test
    void takesAliasesOfWholeValues() {
        var site = site(SITE.replace("head: {", "head: &debian {").replace("{image: debian/12, count: 2}", "*debian"));

        assertThat(site.machines().values()).containsOnly(site.machines().get(new Name("head")));
    }

    @Test
    void readsWindowsLineEndsAndAByteOrderMark(@TempDir Path folder) throws IOException {
        var file = folder.resolve("site.yaml");
        Files.writeString(file, "\uFEFF" + SITE.replace("\n", "\r\n"));

        assertThat(TestSites.load(file, Map.of()).diagnostics()).isEmpty();
    }

    @Test
    void columnsCountCodePoints() {
        var result = load(SITE.replace("{image: debian/12}", "{image: debian/12, \"🂡ü\": 1}"));

        assertThat(result.diagnostics()).singleElement().satisfies(d -> {
            assertThat(d.where()).isNotNull();
            assertThat(d.where().column()).isEqualTo(28);
            assertThat(d.where().length()).isEqualTo(4);
        });
    }

    @Test
    void neverShowsAPrivateKey() {
        String secret = "b3BlbnNzaC1rZXktdjEAAAAABG5vbmU";
        for (String keys : List.of(
                "[\"-----BEGIN OPENSSH PRIVATE KEY----- %s\"]",
                "\"-----BEGIN OPENSSH PRIVATE KEY----- %s\"",
                "\n      -----BEGIN OPENSSH PRIVATE KEY-----\n      %s: x\n   %s")) {
            var result = load(SITE + "users:\n  alice:\n    uid: 2001\n    keys: " + keys.replace("%s", secret) + "\n");

            assertThat(result.diagnostics()).isNotEmpty();
            assertThat(result.diagnostics().toString()).doesNotContain(secret);
        }
    }

    @Test
    void aKeyEndsWithItsLastWord() {
        String key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAINpLe3FlKPn3sbHzgV0ZmpvF9LZmxzlFYS4MMe1x5rV3 a@b";
        var result = load(SITE + "users:\n  alice: {uid: 2001, keys: [\"" + key + "  \", \" " + key + "\"]}\n");

        assertThat(result.orFail().users().values())
                .singleElement()
                .satisfies(alice -> assertThat(alice.keys()).containsExactly(key));
    }

    @Test
    void refusesAFolder() {
        var result = TestSites.load(Path.of("src"), Map.of());

        assertThat(result.diagnostics()).extracting(Diagnostic::code).containsExactly(Code.FILE_UNREADABLE);
        assertThat(result.site()).isEmpty();
    }

    @Test
    void everyDamagedFileGivesDiagnosticsOrASiteAndNeverAnException() {
        long seed = 20_261_121;
        var random = new Random(seed);
        String pieces = "{}[]:,-#&*!|>'\"%@`\n\t $0aé\u0001<?~";
        for (int round = 0; round < 3_000; round++) {
            var text = new StringBuilder(SITE);
            for (int change = random.nextInt(4); change >= 0; change--) {
                int at = random.nextInt(text.length());
                switch (random.nextInt(3)) {
                    case 0 -> text.deleteCharAt(at);
                    case 1 -> text.insert(at, pieces.charAt(random.nextInt(pieces.length())));
                    default -> text.delete(at, Math.min(text.length(), at + random.nextInt(20)));
                }
            }
            var result = load(text.toString());
            assertThat(result.site().isEmpty())
                    .as("seed %s round %s:%n%s", seed, round, text)
                    .isEqualTo(!result.diagnostics().isEmpty());
        }
    }
}
