package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cli.view.Style;
import io.deepsite.cli.view.TerminalSize;
import io.deepsite.opennebula.StandIn;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The verbs with a stand-in for an OpenNebula front-end. It runs no machines, so SSH never answers. */
@Execution(ExecutionMode.CONCURRENT)
class OpenNebulaSiteTest {
    /** The exit code of an apply that options limited. */
    private static final int CHANGES_WAIT = 3;

    @TempDir
    private Path folder;

    private StandIn front;
    private String out = "";
    private String err = "";

    @BeforeEach
    void begin() throws IOException {
        front = StandIn.start("6.8.3", folder.resolve("front")).startingAtOnce().withNetwork("loop", "127.77.7.1", 4);
        Files.writeString(folder.resolve("one_auth"), StandIn.SESSION + "\n");
        int silent;
        try (var free = new ServerSocket(0)) {
            silent = free.getLocalPort();
        }
        Files.writeString(folder.resolve("site.yaml"), """
                apiVersion: deepsite/v1
                site: it-one
                provider:
                  opennebula:
                    endpoint: %s
                    auth: one_auth
                    network: {existing: loop}
                lease: {duration: 4h}
                ssh: {port: %d, patience: 1s}
                machines:
                  box: {image: debian-12, memory: 512MiB}
                """.formatted(front.url(), silent));
    }

    @AfterEach
    void end() {
        front.close();
    }

    private int run(String... arguments) {
        var written = new StringWriter();
        var told = new StringWriter();
        var typed = Arrays.stream(arguments)
                .map(word -> word.equals("site.yaml") ? folder.resolve(word).toString() : word)
                .toArray(String[]::new);
        int exit = Deepsite.run(
                new CommandContext(
                        new Terminal(
                                new PrintWriter(written),
                                new PrintWriter(told),
                                new BufferedReader(new StringReader("")),
                                Style.PLAIN,
                                Style.PLAIN,
                                false,
                                false,
                                () -> TerminalSize.USUAL),
                        Map.of("PATH", "/usr/bin:/bin"),
                        () -> Instant.parse("2026-11-22T01:00:00Z"),
                        folder.resolve("home"),
                        SshTimes.USUAL,
                        () -> BuiltIns.ALL,
                        DeepsiteHome::find),
                typed);
        out = written.toString();
        err = told.toString();
        assertThat(out + err).doesNotContain("secret-of-alice").doesNotContain("PRIVATE KEY");
        return exit;
    }

    @Test
    void siteIsAppliedInspectedAndDestroyed() {
        assertThat(run("validate", "site.yaml")).as(err).isZero();
        assertThat(out).contains("1 machine on opennebula");

        assertThat(run("plan", "site.yaml")).as(err).isZero();
        assertThat(out).contains("instance/box").contains("security-group/box").contains("127.77.7.");
        assertThat(front.names("vm")).isEmpty();

        assertThat(run("apply", "site.yaml", "--yes", "--until", "machines"))
                .as(err)
                .isEqualTo(CHANGES_WAIT);
        assertThat(front.names("vm")).containsExactly("it-one-box");
        assertThat(front.names("secgroup")).containsExactly("ds-it-one-box");

        assertThat(run("status", "site.yaml")).as(err).isZero();
        assertThat(out)
                .contains("box")
                .contains("127.77.7.")
                .contains("enforced by the back-end, which terminates the machines");
        assertThat(run("lease", "list", "--site", folder.resolve("site.yaml").toString()))
                .as(err)
                .isZero();
        assertThat(out).contains("it-one");
        assertThat(run("gc", "site.yaml", "--list")).as(err).isZero();
        assertThat(out).contains("No orphans");

        assertThat(run("destroy", "site.yaml", "--yes")).as(err).isZero();
        assertThat(front.names("vm")).isEmpty();
        assertThat(front.names("secgroup")).isEmpty();
        assertThat(front.names("network")).containsExactly("lab-net", "loop");
    }

    @Test
    void unreachableMachineIsReportedAndKept() {
        assertThat(run("apply", "site.yaml", "--yes")).isEqualTo(1);

        assertThat(err).contains("DS3001").contains("it-one").contains("127.77.7.");
        assertThat(front.names("vm")).containsExactly("it-one-box");
        assertThat(run("plan", "site.yaml", "--detailed-exitcode"))
                .as(out + err)
                .isEqualTo(3);
        assertThat(run("destroy", "site.yaml", "--yes")).as(err).isZero();
        assertThat(front.names("vm")).isEmpty();
    }

    @Test
    void siteWithoutStateIsAdopted() throws IOException {
        assertThat(run("apply", "site.yaml", "--yes", "--until", "machines"))
                .as(err)
                .isEqualTo(CHANGES_WAIT);
        Files.delete(folder.resolve(".deepsite/it-one/state.json"));
        Files.deleteIfExists(folder.resolve(".deepsite/it-one/state.json.backup"));

        assertThat(run("gc", "site.yaml", "--list")).isEqualTo(2);
        assertThat(err).contains("DS4006").contains("it-one-box");
        assertThat(run("adopt", "site.yaml")).as(out + err).isZero();
        assertThat(run("destroy", "site.yaml", "--yes")).as(err).isZero();

        assertThat(front.names("vm")).isEmpty();
        assertThat(front.names("secgroup")).isEmpty();
    }

    @Test
    void recordedOneOfTwoMachinesOfTheSameNameIsKept() {
        assertThat(run("apply", "site.yaml", "--yes", "--until", "machines"))
                .as(err)
                .isEqualTo(CHANGES_WAIT);
        var twins = front.twin("vm", "it-one-box");

        assertThat(run("plan", "site.yaml")).isEqualTo(2);
        assertThat(err).contains("DS4021").contains(named(twins.getFirst()) + " is the recorded one");
        assertThat(run("gc", "site.yaml", "--list")).as(err).isZero();
        assertThat(out).contains("- instance/box  " + named(twins.getLast()) + "  of ");
        assertThat(run("gc", "site.yaml", "--list", "--json")).as(err).isZero();
        assertThat(out).contains("\"handle\" : \"" + twins.getLast() + "\"");

        assertThat(run("gc", "site.yaml", "--yes")).as(err).isZero();
        assertThat(err).contains(named(twins.getLast()));
        assertThat(front.twin("vm", "it-one-box")).startsWith(twins.getFirst());
    }

    @Test
    void machinesOfTheSameNameAreNotAdopted() throws IOException {
        assertThat(run("apply", "site.yaml", "--yes", "--until", "machines"))
                .as(err)
                .isEqualTo(CHANGES_WAIT);
        var twins = front.twin("vm", "it-one-box");
        Files.delete(folder.resolve(".deepsite/it-one/state.json"));
        Files.deleteIfExists(folder.resolve(".deepsite/it-one/state.json.backup"));

        assertThat(run("adopt", "site.yaml")).isEqualTo(2);

        assertThat(err).contains("DS4021", named(twins.getFirst()), named(twins.getLast()));
        assertThat(folder.resolve(".deepsite/it-one/state.json")).doesNotExist();
        front.remove("vm", twins.getLast());
        assertThat(run("adopt", "site.yaml")).as(out + err).isZero();
        assertThat(run("destroy", "site.yaml", "--yes")).as(err).isZero();
        assertThat(front.names("vm")).isEmpty();
    }

    private static String named(int box) {
        return "it-one-box (" + box + ")";
    }
}
