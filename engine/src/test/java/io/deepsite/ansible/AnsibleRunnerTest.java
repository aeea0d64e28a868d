package io.deepsite.ansible;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.remote.Executable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A script replaces ansible-playbook and writes the events that a test needs. */
class AnsibleRunnerTest {
    private static final List<String> BOTH = List.of("node-1", "node-2");
    private static final String PLAY = """
            {"event":"play","play":"motd"}
            """;
    private static final String ONE_FAILED = PLAY + """
            {"event":"result","host":"node-1","status":"failed","task":"Hold","msg":"no space","failed_item":"file:/etc/motd"}
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final AtomicReference<Runnable> stop = new AtomicReference<>(() -> {});

    @BeforeEach
    void makeBundle() throws IOException {
        Files.createDirectories(folder.resolve("bin"));
        Files.createDirectories(folder.resolve("bundle"));
    }

    @Test
    void aHostThatEndedTheLastTaskIsDone() throws IOException {
        events(PLAY, """
                {"event":"result","host":"node-1","status":"changed","changed":true}
                {"event":"result","host":"node-1","status":"ok","ends":true}
                {"event":"result","host":"node-2","status":"ok","ends":true}
                """);

        assertThat(run())
                .containsEntry("node-1", new HostResult.Done(true))
                .containsEntry("node-2", new HostResult.Done(false));
    }

    @Test
    void aFaultOfOneHostNamesItsItemAndLeavesTheOtherDone() throws IOException {
        events(ONE_FAILED, """
                {"event":"result","host":"node-2","status":"ok","ends":true}
                """);

        assertThat(run())
                .containsEntry("node-1", new HostResult.Failed("Hold", "file:/etc/motd", "no space", false))
                .containsEntry("node-2", new HostResult.Done(false));
    }

    @Test
    void aHostWithoutAFaultIsNotDoneWhenTheRunWasEndedAfterAnotherFailed() throws IOException {
        ansible("cat >>\"$DEEPSITE_EVENTS\" <<'EVENTS'\n" + ONE_FAILED + "EVENTS\necho bye\nkill -TERM $$\n");

        assertThat(run().get("node-2"))
                .isInstanceOfSatisfying(
                        HostResult.Failed.class,
                        failed -> assertThat(failed.message()).contains("exit code 143", "bye"));
    }

    @Test
    void aHostWhoseTurnDidNotComeWasNotTried() throws IOException {
        events(ONE_FAILED);

        assertThat(run(new Bundle.Play("motd", "motd", BOTH, 1)).get("motd").get("node-2"))
                .isEqualTo(new HostResult.NotTried());
    }

    @Test
    void ifNothingBeganEveryHostOfTheFirstPlayFailed() throws IOException {
        ansible("echo no such file; exit 4\n");

        var results = run(play("motd"), play("names"));

        assertThat(results.get("motd").get("node-2"))
                .isInstanceOfSatisfying(
                        HostResult.Failed.class,
                        failed -> assertThat(failed.message()).contains("exit code 4", "no such file"));
        assertThat(results.get("names").values()).containsOnly(new HostResult.NotTried());
    }

    @Test
    void aHostThatFailedIsNotTriedInLaterPlays() throws IOException {
        events(ONE_FAILED, """
                {"event":"result","host":"node-2","status":"ok","ends":true}
                {"event":"play","play":"names"}
                {"event":"result","host":"node-2","status":"ok","ends":true}
                """);

        var results = run(play("motd"), play("names"));

        assertThat(results.get("names"))
                .containsEntry("node-1", new HostResult.NotTried())
                .containsEntry("node-2", new HostResult.Done(false));
    }

    @Test
    void aPlayThatAnsibleNoLongerBeganWasNotTried() throws IOException {
        events(ONE_FAILED, """
                {"event":"result","host":"node-2","status":"failed","task":"Hold","msg":"no"}
                """);

        assertThat(run(play("motd"), play("names")).get("names").values()).containsOnly(new HostResult.NotTried());
    }

    @Test
    void aPlayThatEndedBecauseOfTheCancelledRunWasNotTried() throws IOException {
        events(PLAY, """
                {"event":"result","host":"node-1","status":"ok","ends":true}
                {"event":"result","host":"node-2","status":"ok","ends":true}
                {"event":"play","play":"names"}
                """);

        var results = run(play("motd"), new Bundle.Play("names", "names", BOTH, 0, Map.of(), true));

        assertThat(results.get("motd").values()).containsOnly(new HostResult.Done(false));
        assertThat(results.get("names").values()).containsOnly(new HostResult.NotTried());
    }

    @Test
    void eachPlayIsReportedBeforeTheNextBegins() throws IOException {
        events(PLAY, """
                {"event":"play","play":"names"}
                """);
        var seen = new ArrayList<String>();

        runner().run(List.of(play("motd"), play("names"), play("users")), new Listening(seen), stop::set);

        assertThat(seen).containsExactly("begun motd", "ended motd", "begun names", "ended names", "ended users");
    }

    @Test
    void aRollingPlayBeginsAnewWithEachBatchAndEndsOnce() throws IOException {
        events(PLAY, """
                {"event":"result","host":"node-1","status":"ok","ends":true}
                """, PLAY, """
                {"event":"result","host":"node-2","status":"ok","ends":true}
                """);

        assertThat(run(new Bundle.Play("motd", "motd", BOTH, 1)).get("motd").values())
                .containsOnly(new HostResult.Done(false));
    }

    @Test
    void readsALineThatComesInTwoPartsAsOne() throws IOException {
        ansible("""
                mkfifo go
                echo '{"event":"play","play":"motd"}' >>"$DEEPSITE_EVENTS"
                printf '{"event":"task","task":"first"}\\n{"event":"task","task":"gr\\303' >>"$DEEPSITE_EVENTS"
                read -r line <go
                printf '\\274n"}\\n' >>"$DEEPSITE_EVENTS"
                """);
        var tasks = new ArrayList<String>();

        listening(event -> {
            tasks.add(event.task());
            if (tasks.size() == 1) {
                write(folder.resolve("bundle/go"), "on\n");
            }
        });

        assertThat(tasks).containsExactly("first", "grün");
    }

    @Test
    void stopsAtOnceWhenAsked() throws IOException {
        ansible("""
                echo '{"event":"play","play":"motd"}' >>"$DEEPSITE_EVENTS"
                echo '{"event":"task","task":"Wait"}' >>"$DEEPSITE_EVENTS"
                exec sleep 600
                """);

        var results = listening(_ -> stop.get().run());

        assertThat(results.get("node-1")).isInstanceOf(HostResult.Failed.class);
    }

    @Test
    void leavesNoProcessBehindWhenItsOwnSideFails() throws IOException {
        ansible("""
                echo $$ >"$PWD/pid"
                echo '{"event":"play","play":"motd"}' >>"$DEEPSITE_EVENTS"
                echo '{"event":"task","task":"Wait"}' >>"$DEEPSITE_EVENTS"
                exec sleep 600
                """);

        assertThatThrownBy(() -> listening(_ -> {
                    throw new IllegalStateException("the disk is full");
                }))
                .hasMessage("the disk is full");

        var pid = Long.parseLong(Files.readString(folder.resolve("bundle/pid")).strip());
        ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
    }

    @Test
    void keepsItsLogToTheOwner() throws IOException {
        ansible("echo words\n");

        run();

        assertThat(Files.getPosixFilePermissions(folder.resolve("ansible-1.log")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(folder.resolve("ansible-1.log")).hasContent("words");
    }

    /** The file is an hour old only until the next sign of life. */
    @Test
    void showsAnsibleThatItWorks() throws IOException {
        ansible("""
                touch -d -1hour "$DEEPSITE_ALIVE"
                while [ -z "$(find "$DEEPSITE_ALIVE" -mmin -30)" ]; do sleep 0.1; done
                echo "for $DEEPSITE_ALIVE_SECONDS s"
                """);
        var playbook = new Playbook(
                "1", folder.resolve("bundle"), folder, 2, environment(), Optional.of(Duration.ofSeconds(40)));

        playbook.run(_ -> {}, _ -> {});

        assertThat(playbook.log()).hasContent("for 40 s");
    }

    @Test
    void ofALockThatLastsUntilItIsTakenAwayAnsibleRunsToItsEnd() throws IOException {
        ansible("echo \"for ${DEEPSITE_ALIVE-ever}\"\n");

        run();

        assertThat(folder.resolve("ansible-1.log")).hasContent("for ever");
    }

    @Test
    void saysThatAnsibleIsMissing() {
        assertThatThrownBy(() -> new AnsibleProgram(Map.of("PATH", "/nonexistent")).check(folder))
                .isInstanceOfSatisfying(
                        Failure.class,
                        e -> assertThat(e.diagnostics().getFirst().code()).isEqualTo(Code.ANSIBLE_MISSING));
    }

    @Test
    void refusesAnAnsibleThatIsTooOld() throws IOException {
        ansible("echo 'ansible-playbook [core 2.10.8]'\n");

        assertThatThrownBy(() -> new AnsibleProgram(environment()).check(folder))
                .isInstanceOfSatisfying(
                        Failure.class,
                        e -> assertThat(e.diagnostics().getFirst().code()).isEqualTo(Code.ANSIBLE_TOO_OLD));
    }

    private Map<String, HostResult> run() {
        return run(play("motd")).get("motd");
    }

    /** The results by play. */
    private Map<String, Map<String, HostResult>> run(Bundle.Play... plays) {
        var listener = new Listening(new ArrayList<>());
        runner().run(List.of(plays), listener, stop::set);
        return listener.results;
    }

    /** Runs one play, and passes on its tasks. */
    private Map<String, HostResult> listening(Consumer<AnsibleEvent> tasks) {
        var results = new TreeMap<String, HostResult>();
        runner().run(
                        List.of(play("motd")),
                        new AnsibleRunner.Listener() {
                            @Override
                            public void begun(Bundle.Play play) {}

                            @Override
                            public void event(Bundle.Play play, AnsibleEvent event) {
                                if (event.event().equals("task")) {
                                    tasks.accept(event);
                                }
                            }

                            @Override
                            public void ended(Bundle.Play play, Map<String, HostResult> ended) {
                                results.putAll(ended);
                            }
                        },
                        stop::set);
        return results;
    }

    private AnsibleRunner runner() {
        return new AnsibleRunner(
                new Playbook("1", folder.resolve("bundle"), folder, 2, environment(), Optional.empty()),
                ControlNodes.THIS);
    }

    private Map<String, String> environment() {
        return Map.of("PATH", folder.resolve("bin") + ":/usr/bin:/bin");
    }

    private static Bundle.Play play(String name) {
        return new Bundle.Play(name, name, BOTH, 0);
    }

    private void events(String... lines) throws IOException {
        ansible("cat >>\"$DEEPSITE_EVENTS\" <<'EVENTS'\n" + String.join("", lines) + "EVENTS\nexit 2\n");
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void ansible(String script) throws IOException {
        Executable.write(folder.resolve("bin/ansible-playbook"), "#!/bin/sh\n" + script);
    }
}
