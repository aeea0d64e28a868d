package io.deepsite.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Item;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.remote.HostProbe.Look;
import io.deepsite.remote.HostProbe.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The real probe.sh in the real /bin/sh of this machine. */
class HostProbeTest {
    @TempDir
    Path folder;

    private final LocalRemote remote = new LocalRemote();

    @Test
    void seesFilesWhateverTheirNames() throws IOException {
        var contract = new ArrayList<Item>();
        for (var name :
                List.of("plain", "with blank", "it's", "$(id)", "`id`", "\"quoted\"", "back\\slash", "-n", "ä€")) {
            contract.add(file(write(name, "text of " + name), "text of " + name));
        }

        var answer = look(contract, List.of());

        for (var item : contract) {
            assertThat(item.differences(answer.of(item))).as(item.id()).isEmpty();
        }
    }

    @Test
    void seesWhatDiffers() throws IOException {
        var changed = file(write("changed", "now"), "before");
        var missing = file(folder.resolve("missing"), "x");
        var mode = file(write("mode", "x"), "x");
        Files.setPosixFilePermissions(folder.resolve("mode"), PosixFilePermissions.fromString("rwxrwxrwx"));

        var answer = look(List.of(changed, missing, mode), List.of());

        assertThat(changed.differences(answer.of(changed)))
                .extracting(Item.Difference::field)
                .containsExactly("sha256");
        assertThat(answer.of(missing).flag("exists")).isFalse();
        assertThat(mode.differences(answer.of(mode))).containsExactly(new Item.Difference("mode", "0777", "0600"));
    }

    @Test
    void asksProgramsWithoutAShellInBetween() {
        var probe = probe("echo", List.of("printf", "%s|", "a b", "it's", "$(id)", "x\ny"), "a b|it's|$(id)|x\ny|");
        var fails = new Item.Probe("fails", List.of("false"), Optional.empty(), 0, Item.Phase.AFTER, Item.Notify.NONE);
        var missing = probe("missing", List.of("/nonexistent/program"), "x");
        var eater = probe("eater", List.of("cat"), "");

        var answer = look(List.of(probe, fails, missing, eater), List.of());

        assertThat(probe.differences(answer.of(probe))).isEmpty();
        assertThat(fails.differences(answer.of(fails))).isNotEmpty();
        assertThat(answer.of(missing).text("rc")).isEqualTo("127");
        assertThat(eater.differences(answer.of(eater))).isEmpty();
    }

    @Test
    void asksWhetherActionsAreDone() {
        var answer = look(
                List.of(), List.of(action("yes", "true"), action("no", "false"), action("missing", "/nonexistent/x")));

        assertThat(answer.done()).containsExactly("role/yes");
    }

    @Test
    void doesNotTakeASlowAnswerForANo() {
        var slow = action("slow", "sh", "-c", "exit 124");

        var reply = new HostProbe(remote, 1)
                .probe(List.of(new Look(target(), List.of(contract(List.of(), List.of(slow))))))
                .get("node-1");

        var diagnostic = ((Reply.Silent) reply).diagnostics().getFirst();
        assertThat(diagnostic.code()).isEqualTo(Code.COMMAND_TOO_SLOW);
        assertThat(diagnostic.why()).contains("role/slow").contains("sh -c exit 124");
    }

    @Test
    void readsFactsWithoutAnyContract() {
        var facts = look(List.of(), List.of()).facts();

        assertThat(facts.cpus()).isPositive();
        assertThat(facts.memoryMebibytes()).isPositive();
        assertThat(facts.kernel()).isNotEmpty();
        assertThat(facts.clock()).isPositive();
    }

    @Test
    void asksNotForNamesWithControlCharacters() {
        var path = new Item.Directory(
                "/tmp/x\n}\ntouch /tmp/y", "root", "root", "0755", Item.Phase.BEFORE, Item.Notify.NONE);
        var nul = new Item.Group("a\0b", Optional.empty(), false, Item.Phase.BEFORE, Item.Notify.NONE);

        var answer = look(List.of(path, nul), List.of());

        assertThat(answer.of(path).unknown()).isPresent();
        assertThat(answer.of(nul).unknown()).isPresent();
    }

    @Test
    void bringsTextsOfDifferingFilesOverTheSameConnection() throws IOException {
        var changed = file(write("changed", "grüße\nno line break"), "before");
        var same = file(write("same", "x"), "x");
        var empty = file(write("empty", ""), "before");
        Files.write(folder.resolve("binary"), new byte[] {0, 1, 2, (byte) 0xff});
        var binary = file(folder.resolve("binary"), "before");
        var large = file(write("large", "x".repeat(1_048_577)), "before");
        var secret = new Item.File(
                write("secret", "s3cret").toString(),
                "root",
                "root",
                "0600",
                Digests.sha256("old"),
                List.of("key"),
                List.of(),
                Item.Owner.OURS,
                Item.Phase.BEFORE,
                Item.Notify.NONE);
        var many = new ArrayList<Item>(List.of(changed, same, empty, binary, large, secret));
        for (int i = 0; i < 40; i++) {
            many.add(file(write("many" + i, "text " + i), "before"));
        }

        var answer = probe(new Look(target(), List.of(contract(many, List.of())), HostProbe.DIFFERING));

        assertThat(answer.texts()).hasSize(42);
        assertThat(answer.texts()).containsEntry(folder.resolve("changed").toString(), "grüße\nno line break");
        assertThat(answer.texts()).containsEntry(folder.resolve("empty").toString(), "");
        assertThat(answer.texts()).containsEntry(folder.resolve("many39").toString(), "text 39");
        assertThat(remote.opened("node-1")).isEqualTo(1);
    }

    @Test
    void oneSilentHostDoesNotHideTheOthers() {
        remote.without("node-2", Code.HOST_SILENT);
        var looks = List.of("node-1", "node-2", "node-3").stream()
                .map(name -> new Look(LocalRemote.target(name), List.of()))
                .toList();

        var replies = new HostProbe(remote, 2).probe(looks);

        assertThat(replies.get("node-1").found()).isPresent();
        assertThat(replies.get("node-3").found()).isPresent();
        assertThat(((Reply.Silent) replies.get("node-2")).diagnostics())
                .extracting(Diagnostic::code)
                .containsExactly(Code.HOST_SILENT);
    }

    @Test
    void knowsNothingOfAHostWhoseAnswerBrokeOff() {
        remote.withShell("/bin/sh", "-c", "cat >/dev/null; echo 'No space left on device' >&2; exit 2");

        var reply = new HostProbe(remote, 1)
                .probe(List.of(new Look(target(), List.of())))
                .get("node-1");

        var diagnostic = ((Reply.Silent) reply).diagnostics().getFirst();
        assertThat(diagnostic.code()).isEqualTo(Code.ANSWER_TORN);
        assertThat(diagnostic.why()).contains("No space left on device").contains("exit code 2");
    }

    private ProbeAnswer look(List<Item> items, List<Action> actions) {
        return probe(new Look(target(), List.of(contract(items, actions))));
    }

    private ProbeAnswer probe(Look look) {
        var reply = new HostProbe(remote, 1).probe(List.of(look)).get("node-1");
        assertThat(reply).isInstanceOf(Reply.Answered.class);
        return reply.found().orElseThrow();
    }

    private static SshTarget target() {
        return LocalRemote.target("node-1");
    }

    private static Contract contract(List<Item> items, List<Action> actions) {
        return new Contract("role", "node-1", items, actions);
    }

    private Path write(String name, String text) throws IOException {
        var file = folder.resolve(name);
        Files.writeString(file, text, StandardCharsets.UTF_8);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    /** A file owned by the user who runs the tests. */
    private static Item.File file(Path path, String wanted) throws IOException {
        var owner = Files.exists(path) ? Files.getOwner(path).getName() : "root";
        var group = Files.exists(path) ? Files.getAttribute(path, "posix:group").toString() : "root";
        return new Item.File(
                path.toString(),
                owner,
                group,
                "0600",
                Digests.sha256(wanted),
                List.of(),
                List.of(),
                Item.Owner.OURS,
                Item.Phase.BEFORE,
                Item.Notify.NONE);
    }

    private static Item.Probe probe(String name, List<String> run, String expect) {
        return new Item.Probe(name, run, Optional.of(expect), 0, Item.Phase.AFTER, Item.Notify.NONE);
    }

    private static Action action(String id, String... done) {
        return new Action(
                id,
                "does",
                List.of(done),
                id + ".yml",
                Optional.empty(),
                Optional.of("no need to"),
                Action.Impact.NOTHING,
                new TreeMap<>(),
                "digest",
                false);
    }
}
