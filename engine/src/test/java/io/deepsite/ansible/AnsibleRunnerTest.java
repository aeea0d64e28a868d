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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A script replaces ansible-playbook and writes the events that a test needs. */
class AnsibleRunnerTest {
    private static final String ONE_FAILED = """
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
    void aHostThatAnsibleCountsWithoutAFaultIsDone() throws IOException {
        ansible("""
                cat >>"$DEEPSITE_EVENTS" <<'EVENTS'
                {"event":"result","host":"node-1","status":"changed","changed":true}
                {"event":"stats","hosts":{"node-1":{"failures":0,"unreachable":0},"node-2":{"failures":0,"unreachable":0}}}
                EVENTS
                """);

        assertThat(run())
                .containsEntry("node-1", new HostResult.Done(true))
                .containsEntry("node-2", new HostResult.Done(false));
    }

    @Test
    void aFaultOfOneHostNamesItsItemAndLeavesTheOtherDone() throws IOException {
        ansible("""
                cat >>"$DEEPSITE_EVENTS" <<'EVENTS'
                %s{"event":"stats","hosts":{"node-1":{"failures":1,"unreachable":0},"node-2":{"failures":0,"unreachable":0}}}
                EVENTS
                exit 2
                """.formatted(ONE_FAILED));

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
        ansible("cat >>\"$DEEPSITE_EVENTS\" <<'EVENTS'\n" + ONE_FAILED + "EVENTS\nexit 2\n");

        assertThat(run(1).get("node-2")).isEqualTo(new HostResult.NotTried());
    }

    @Test
    void moreHostsThanACommandLineHoldsAreReadFromAFile() throws IOException {
        var hosts = IntStream.range(0, 3000)
                .mapToObj(number -> "node-of-a-cluster-with-a-long-name-" + number)
                .toList();
        ansible("""
                [ "$2" = --limit ] || exit 2
                printf '{"event":"stats","hosts":{%s}}\n' \
                    "$(sed 's/.*/"&":{"failures":0,"unreachable":0}/' "${3#@}" | paste -sd ,)" >>"$DEEPSITE_EVENTS"
                """);

        var results =
                runner().run(new Bundle.Play("motd", "motd", hosts, 0), "motd", hosts, Map.of(), _ -> {}, stop::set);

        assertThat(results).hasSize(3000).containsValue(new HostResult.Done(false));
        assertThat(Set.copyOf(results.values())).hasSize(1);
    }

    @Test
    void aHostThatWasNeverTriedIsNotDone() throws IOException {
        ansible("""
                echo '{"event":"stats","hosts":{"node-1":{"failures":0,"unreachable":0}}}' >>"$DEEPSITE_EVENTS"
                """);

        assertThat(run().get("node-2")).isInstanceOf(HostResult.Failed.class);
    }

    @Test
    void readsALineThatComesInTwoPartsAsOne() throws IOException {
        ansible("""
                mkfifo go
                printf '{"event":"task","task":"first"}\\n{"event":"task","task":"gr\\303' >>"$DEEPSITE_EVENTS"
                read -r line <go
                printf '\\274n"}\\n' >>"$DEEPSITE_EVENTS"
                """);
        var tasks = new ArrayList<String>();

        runner().run(
                        play(),
                        "motd",
                        List.of("node-1"),
                        Map.of(),
                        event -> {
                            tasks.add(event.task());
                            if (tasks.size() == 1) {
                                write(folder.resolve("bundle/go"), "on\n");
                            }
                        },
                        stop::set);

        assertThat(tasks).containsExactly("first", "grün");
    }

    @Test
    void stopsAtOnceWhenAsked() throws IOException {
        ansible("""
                echo '{"event":"task","task":"Wait"}' >>"$DEEPSITE_EVENTS"
                exec sleep 600
                """);

        var results = runner().run(
                        play(),
                        "motd",
                        List.of("node-1"),
                        Map.of(),
                        _ -> stop.get().run(),
                        stop::set);

        assertThat(results.get("node-1")).isInstanceOf(HostResult.Failed.class);
    }

    @Test
    void leavesNoProcessBehindWhenItsOwnSideFails() throws IOException {
        ansible("""
                echo $$ >"$PWD/pid"
                echo '{"event":"task","task":"Wait"}' >>"$DEEPSITE_EVENTS"
                exec sleep 600
                """);

        assertThatThrownBy(() -> runner().run(
                                play(),
                                "motd",
                                List.of("node-1"),
                                Map.of(),
                                _ -> {
                                    throw new IllegalStateException("the disk is full");
                                },
                                stop::set))
                .hasMessage("the disk is full");

        var pid = Long.parseLong(Files.readString(folder.resolve("bundle/pid")).strip());
        ProcessHandle.of(pid).ifPresent(process -> process.onExit().join());
    }

    @Test
    void keepsItsLogToTheOwner() throws IOException {
        ansible("echo words\n");

        run();

        assertThat(Files.getPosixFilePermissions(folder.resolve("ansible-motd.log")))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(folder.resolve("ansible-motd.log")).hasContent("words");
    }

    @Test
    void saysThatAnsibleIsMissing() {
        assertThatThrownBy(() -> new AnsibleRunner(folder, folder, Map.of("PATH", "/nonexistent")).check())
                .isInstanceOfSatisfying(
                        Failure.class,
                        e -> assertThat(e.diagnostics().getFirst().code()).isEqualTo(Code.ANSIBLE_MISSING));
    }

    @Test
    void refusesAnAnsibleThatIsTooOld() throws IOException {
        ansible("echo 'ansible-playbook [core 2.10.8]'\n");

        assertThatThrownBy(() -> runner().check())
                .isInstanceOfSatisfying(
                        Failure.class,
                        e -> assertThat(e.diagnostics().getFirst().code()).isEqualTo(Code.ANSIBLE_TOO_OLD));
    }

    private Map<String, HostResult> run() {
        return run(0);
    }

    private Map<String, HostResult> run(int batch) {
        var play = new Bundle.Play("motd", "motd", List.of("node-1", "node-2"), batch);
        return runner().run(play, "motd", List.of("node-1", "node-2"), Map.of(), _ -> {}, stop::set);
    }

    private AnsibleRunner runner() {
        return new AnsibleRunner(
                folder.resolve("bundle"), folder, Map.of("PATH", folder.resolve("bin") + ":/usr/bin:/bin"));
    }

    private static Bundle.Play play() {
        return new Bundle.Play("motd", "motd", List.of("node-1", "node-2"), 0);
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
