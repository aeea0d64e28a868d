package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.ansible.FakeAnsible;
import io.deepsite.cli.view.Style;
import io.deepsite.cli.view.TerminalSize;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Failure;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.state.FileStateStore;
import io.deepsite.state.JournalContents;
import io.deepsite.state.JournalEntry;
import io.deepsite.state.SiteState;
import io.deepsite.state.StateFolder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What an admin types and reads around one fault: commands of the real tool with an LXD in memory, machines on the loopback
 * net and a stand-in for Ansible. After each command the story records the exit code and what is left, and checks that LXD
 * holds no tagged object without a record.
 */
final class FaultStory implements AutoCloseable {
    /** Long, so that a busy machine does not change the story. */
    private static final SshTimes NO_LIMITS =
            new SshTimes(Duration.ofHours(1), Duration.ofHours(1), SshTimes.USUAL.again());

    /** Texts that differ by run and by machine. */
    private static final List<Map.Entry<String, String>> VARIABLE = List.of(
            Map.entry("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", "UUID"),
            Map.entry("SHA256:[A-Za-z0-9+/=]+", "SHA256:FINGERPRINT"),
            Map.entry("process \\d+", "process PID"),
            Map.entry("Process \\d+", "Process PID"),
            Map.entry("kill \\d+", "kill PID"),
            Map.entry("(done in|FAILED after) [^:\n]*", "$1 TIME"),
            // The kernel decides which of the two occurs.
            Map.entry("(Broken transport; encountered EOF|Connection reset)", "IT ENDED"),
            Map.entry("127\\.77\\.\\d+\\.\\d+", "ADDRESS"));

    final Path folder;
    final FakeLxd lxd;
    private final LoopbackNet claimed = LoopbackNet.claim();
    /** The address of LXD's bridge, without the last number. */
    final String net = claimed.prefix();

    final int port = LoopbackNet.PORT;
    final Path state;
    private final Path home;
    private final StringBuilder told = new StringBuilder();
    private String stderr = "";
    private String stdout = "";
    private String answer = "";
    private boolean asks;
    private Optional<Path> ownFiles = Optional.empty();
    private String path;
    private Map.@Nullable Entry<String, Runnable> onWord;
    private Instant now = Instant.parse("2026-01-02T03:04:05Z");

    FaultStory(Path folder) throws IOException {
        this.folder = folder;
        this.home = Files.createDirectories(folder.resolve("home"));
        this.state = folder.resolve(".deepsite/lab");
        lxd = new FakeLxd(folder, net, port);
        lxd.start();
        path = folder.resolve("bin") + ":/usr/bin:/bin";
        ansible("2.14.3", "");
        vaultKey("key of the test\n");
        site("");
    }

    /** One machine named box; {@code more} is added to site.yaml. */
    FaultStory site(String more) {
        return siteOf("machines:\n  box: {image: debian/12, cpus: 1, memory: 1GiB}\n" + more);
    }

    FaultStory siteOf(String rest) {
        return write("site.yaml", """
                apiVersion: deepsite/v1
                site: lab
                provider:
                  lxd: {endpoint: "unix://%s", pool: {name: nova}, network: lxdbr0}
                ssh: {port: %d}
                """.formatted(lxd.socket(), port) + rest);
    }

    FaultStory write(String file, String text) {
        try {
            Files.writeString(folder.resolve(file), text);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String read(String file) {
        try {
            return Files.readString(folder.resolve(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    FaultStory edit(String file, String from, String to) {
        var text = read(file);
        assertThat(text).contains(from);
        return write(file, text.replace(from, to));
    }

    void delete(String... files) {
        try {
            for (var file : files) {
                Files.delete(folder.resolve(file));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path vaultKeyFile() {
        return home.resolve(".config/deepsite/vault.key");
    }

    void vaultKey(String text) throws IOException {
        Files.createDirectories(vaultKeyFile().getParent());
        Files.writeString(vaultKeyFile(), text);
        Files.setPosixFilePermissions(vaultKeyFile(), PosixFilePermissions.fromString("rw-------"));
    }

    void ansible(String version, String message) throws IOException {
        ansible(version, message, ":");
    }

    /**
     * @param message of the failing task on each host; empty for success. Events are in the callback's format.
     * @param does a shell command that each play runs
     */
    void ansible(String version, String message, String does) throws IOException {
        var bin = Files.createDirectories(folder.resolve("bin"));
        FakeAnsible.PASSING
                .withVersion(version)
                .failingOn(message.isEmpty() ? "" : "*", message)
                .doing(does)
                .write(bin);
        path = bin + ":/usr/bin:/bin";
    }

    /** Uses this folder for deepsite's own files, extensions included, from now on. */
    void ownFiles(Path there) {
        ownFiles = Optional.of(there);
    }

    void withoutAnsible() {
        path = folder.resolve("nothing").toString();
    }

    /** From now on there is a terminal, and the user answers this to every question. */
    void answering(String text) {
        asks = true;
        answer = text + "\n";
    }

    /** Runs when stderr first holds this text. */
    void onWord(String word, Runnable what) {
        onWord = Map.entry(word, what);
    }

    void later(Duration time) {
        now = now.plus(time);
    }

    Instant now() {
        return now;
    }

    /** Describes what happens between two commands. */
    @FunctionalInterface
    interface Happening {
        void run() throws Exception;
    }

    FaultStory then(String words, Happening what) throws Exception {
        what.run();
        told.append("\n# ").append(words).append('\n');
        return this;
    }

    /** The command of the case: its stderr is the golden text. */
    FaultStory fails(int exit, String... arguments) {
        var err = run(exit, arguments);
        if (stderr.isEmpty()) {
            stderr = err;
        }
        return this;
    }

    /** A command that fails before the command of the case. */
    FaultStory fails1(String... arguments) {
        run(1, arguments);
        return this;
    }

    /** A command that finds changes. */
    FaultStory fails3(String... arguments) {
        run(3, arguments);
        return this;
    }

    FaultStory does(String... arguments) {
        run(0, arguments);
        return this;
    }

    /** A command that prints exactly this. */
    FaultStory prints(String text, String... arguments) {
        run(0, arguments);
        assertThat(stdout).isEqualTo(text);
        return this;
    }

    /** The cause is fixed: the same command continues, and nothing is left over, missing or duplicated. */
    FaultStory goesOn() {
        return goesOn("apply", "site.yaml", "--yes");
    }

    FaultStory goesOn(String... apply) {
        does(apply);
        run(0, "plan", "site.yaml", "--detailed-exitcode");
        wholeAndRecorded();
        return this;
    }

    /** Like goesOn, without a check by plan: the stand-in for Ansible did not really change the host. */
    FaultStory goesOnToConfigure() {
        does("apply", "site.yaml", "--yes");
        wholeAndRecorded();
        return this;
    }

    private void wholeAndRecorded() {
        var recorded = recorded().orElseThrow().resources().keySet();
        assertThat(lxd.ours().stream().map(this::id)).containsExactlyInAnyOrderElementsOf(recorded);
        assertThat(journal().openIntents()).isEmpty();
        assertThat(state.resolve("lock")).doesNotExist();
    }

    private String run(int exit, String... arguments) {
        var said = attempt(arguments);
        assertThat(said.exit()).as("exit code; the story so far:\n" + told).isEqualTo(exit);
        return said.stderr();
    }

    /** The exit code and output of a command. */
    record Said(int exit, String stderr) {}

    /** A command with any exit code. */
    Said attempt(String... arguments) {
        var out = new StringWriter();
        var err = new Watched();
        var typed = Arrays.stream(arguments)
                .map(word -> word.endsWith(".yaml") || word.endsWith(".json") || word.startsWith("out/")
                        ? folder.resolve(word).toString()
                        : word)
                .toArray(String[]::new);
        var workplace = new CommandContext(
                new Terminal(
                        new PrintWriter(out),
                        new PrintWriter(err),
                        new BufferedReader(new StringReader(answer)),
                        Style.PLAIN,
                        Style.PLAIN,
                        asks,
                        false,
                        () -> TerminalSize.USUAL),
                Map.of("PATH", path, "HOME", home.toString()),
                this::now,
                home,
                NO_LIMITS,
                () -> ownFiles.<ClusterKinds>map(there -> Extensions.added(BuiltIns.ALL, new DeepsiteHome(there)))
                        .orElse(BuiltIns.ALL),
                () -> ownFiles.map(DeepsiteHome::at).orElseGet(DeepsiteHome::find));
        int got = Deepsite.run(workplace, typed);
        later(Duration.ofMinutes(1));
        stdout = out.toString();
        var said = normal(err.toString());
        assertThat(said).doesNotContain("PRIVATE KEY");
        told.append("\n$ deepsite ").append(normal(String.join(" ", arguments))).append('\n');
        told.append(indented(said)).append("exit ").append(got).append('\n').append(left());
        nothingWithoutRecord();
        return new Said(got, said);
    }

    private static String indented(String text) {
        return text.lines()
                .map(line -> line.isBlank() ? "\n" : "  " + line + "\n")
                .collect(Collectors.joining());
    }

    /** Every tagged object in LXD is in the state or in the journal. */
    private void nothingWithoutRecord() {
        try {
            var known =
                    new ArrayList<>(recorded().map(state -> state.resources().keySet()).stream()
                            .flatMap(keys -> keys.stream())
                            .toList());
            journal().entries().stream()
                    .map(JournalEntry::step)
                    .map(step -> step.replaceFirst("^resource:", ""))
                    .forEach(known::add);
            if (Files.exists(state.resolve("state.json"))) {
                assertThat(known).containsAll(lxd.ours().stream().map(this::id).toList());
            }
        } catch (Failure e) {
            // In this story the state or the journal is damaged.
            assertThat(e.diagnostics()).isNotEmpty();
        }
    }

    private String id(String path) {
        return lxd.things.get(path).path("config").path("user.deepsite.id").asString();
    }

    private String left() {
        // Sorted, because machines are made in parallel.
        var changes = lxd.changes().stream().distinct().sorted().toList();
        return "  LXD holds   " + String.join(", ", lxd.contents()) + "\n"
                + "  LXD changed " + (changes.isEmpty() ? "nothing" : String.join(", ", changes)) + "\n"
                + "  recorded    " + describe() + "\n";
    }

    private String describe() {
        try {
            var open = journal().openIntents().stream().map(JournalEntry::step).toList();
            return recorded().map(FaultStory::describe).orElse("nothing")
                    + (open.isEmpty() ? "" : "; open: " + String.join(", ", open))
                    + (Files.exists(state.resolve("lock")) ? "; locked" : "");
        } catch (Failure e) {
            return e.diagnostics().getFirst().code().id();
        }
    }

    private static String describe(SiteState state) {
        var hosts = state.hosts().entrySet().stream()
                .map(host -> host.getKey() + host.getValue().roles().keySet())
                .collect(Collectors.joining(", "));
        var apply = state.apply();
        return "resources " + state.resources().keySet() + ", hosts " + hosts + ", last apply "
                + (apply == null ? "none" : apply.outcome().toString().toLowerCase(java.util.Locale.ROOT));
    }

    private Optional<SiteState> recorded() {
        return new FileStateStore(new StateFolder(state)).read();
    }

    private JournalContents journal() {
        return JournalContents.read(state.resolve("journal.ndjson"));
    }

    String normal(String text) {
        var normal = text.replace(folder + "/home", "HOME")
                .replace(folder + "/", "")
                .replace(folder.toString(), ".")
                .replace(Version.CURRENT, "VERSION")
                .replace(String.valueOf(port), "PORT")
                .replace(Path.of("..").toAbsolutePath().normalize() + "/", "HERE/")
                .replaceAll("of \\S+ on \\S+ \\(process", "of USER on HOST (process");
        for (var one : VARIABLE) {
            normal = normal.replaceAll(one.getKey(), one.getValue());
        }
        return normal;
    }

    /** The output of the last command. */
    String stdout() {
        return stdout;
    }

    /** What the admin reads at the fault. */
    String stderr() {
        return stderr;
    }

    /** All commands, and what they left. */
    String told() {
        return told.toString().strip() + "\n";
    }

    @Override
    public void close() throws IOException {
        lxd.close();
        claimed.close();
    }

    private final class Watched extends StringWriter {
        @Override
        public void write(String text, int offset, int length) {
            super.write(text, offset, length);
            var waiting = onWord;
            if (waiting != null && toString().contains(waiting.getKey())) {
                onWord = null;
                waiting.getValue().run();
            }
        }
    }
}
