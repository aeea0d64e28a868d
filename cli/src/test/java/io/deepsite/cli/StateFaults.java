package io.deepsite.cli;

import io.deepsite.state.FileSiteLock;
import io.deepsite.state.LockOwner;
import io.deepsite.state.LockRecord;
import io.deepsite.state.SiteLock;
import io.deepsite.state.StateFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;

/** Faults in the state folder: the state, the journal, the lock, the vault. */
final class StateFaults {
    private static final String STATE = ".deepsite/lab/state.json";
    private static final String JOURNAL = ".deepsite/lab/journal.ndjson";
    private static final String VAULT = ".deepsite/lab/vault.yml";
    private static final String LOCK_ID = "0e7f5d1c-0000-4000-8000-000000000001";

    private StateFaults() {}

    static List<FaultCase> cases() {
        return List.of(
                new FaultCase("state/DS4101-state-of-a-newer-deepsite", story -> {
                    story.does("apply", "site.yaml", "--yes");
                    var before = story.read(STATE);
                    story.then(
                                    "a newer deepsite writes the state",
                                    () -> story.write(
                                            STATE,
                                            before.replaceFirst("\"formatVersion\" : \\d+", "\"formatVersion\" : 99")
                                                    .replace(Version.CURRENT, "9.9")))
                            .fails(2, "apply", "site.yaml", "--yes")
                            .then("that deepsite restores the old state", () -> story.write(STATE, before))
                            .goesOn();
                }),
                new FaultCase("state/DS4102-state-truncated", story -> {
                    story.does("apply", "site.yaml", "--yes");
                    var before = story.read(STATE);
                    story.then(
                                    "half of the state is lost",
                                    () -> story.write(STATE, before.substring(0, before.indexOf("\"lineage\"") + 16)))
                            .fails(2, "apply", "site.yaml", "--yes")
                            .then(
                                    "the admin types the suggested command",
                                    () -> story.write(STATE, story.read(STATE + ".backup")))
                            .goesOn();
                }),
                new FaultCase("state/DS4102-state-gone", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .then("a user deletes the state", () -> story.delete(STATE))
                            .fails(2, "apply", "site.yaml", "--yes")
                            .then(
                                    "the admin types the suggested command",
                                    () -> story.write(STATE, story.read(STATE + ".backup")))
                            .goesOn();
                }),
                new FaultCase("state/DS4103-state-changed-by-somebody-else", story -> {
                    story.does("apply", "site.yaml", "--yes").edit("site.yaml", "memory: 1GiB", "memory: 2GiB");
                    story.lxd.meanwhile(
                            "PUT /1.0/instances/lab-box",
                            () -> story.write(
                                    STATE, story.read(STATE).replaceFirst("\"serial\" : \\d+", "\"serial\" : 99")));
                    story.fails(1, "apply", "site.yaml", "--yes").goesOn();
                }),
                new FaultCase("state/DS4104-state-folder-cannot-be-written", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .edit("site.yaml", "memory: 1GiB", "memory: 2GiB")
                            .then(
                                    "a folder is in the way of the new state file",
                                    () -> Files.createDirectories(story.folder.resolve(STATE + ".new/x")))
                            .fails(1, "apply", "site.yaml", "--yes")
                            .then("it is removed", () -> story.delete(STATE + ".new/x", STATE + ".new"))
                            .goesOn();
                }),
                new FaultCase("state/DS4105-journal-cut", story -> {
                    story.lxd.refuse("POST /1.0/instances", 400, "no");
                    story.fails1("apply", "site.yaml", "--yes")
                            .then(
                                    "the machine loses power while a line is written",
                                    () -> story.write(JOURNAL, story.read(JOURNAL) + "{\"at\":\"2026-01-0"))
                            .fails(0, "apply", "site.yaml", "--yes")
                            .goesOn();
                }),
                new FaultCase("state/DS4106-journal-damaged", story -> {
                    story.lxd.refuse("POST /1.0/instances", 400, "no");
                    story.fails1("apply", "site.yaml", "--yes")
                            .then(
                                    "something writes into the journal",
                                    () -> story.write(JOURNAL, "nonsense\n" + story.read(JOURNAL)))
                            .fails(1, "apply", "site.yaml", "--yes")
                            .then(
                                    "the admin types the suggested command",
                                    () -> Files.move(
                                            story.folder.resolve(JOURNAL), story.folder.resolve(JOURNAL + ".damaged")))
                            .goesOn();
                }),
                new FaultCase("state/DS4110-lock-held", story -> {
                    var other = hold(story);
                    story.fails(5, "apply", "site.yaml", "--yes")
                            .then("the other apply ends", other::close)
                            .goesOn();
                }),
                new FaultCase("state/DS4110-lock-held-by-a-silent-machine", story -> {
                    story.does("apply", "site.yaml", "--yes").edit("site.yaml", "memory: 1GiB", "memory: 2GiB");
                    story.then("an apply on another machine holds it", () -> lockOf(story, 4711, "another machine"));
                    story.later(Duration.ofHours(2));
                    story.fails(5, "apply", "site.yaml", "--yes")
                            .does("unlock", LOCK_ID, "--site", "site.yaml")
                            .goesOn();
                }),
                new FaultCase("state/DS4111-lock-of-a-dead-process", story -> {
                    story.does("apply", "site.yaml", "--yes").edit("site.yaml", "memory: 1GiB", "memory: 2GiB");
                    var dead = new ProcessBuilder("true").start();
                    dead.waitFor();
                    story.then("deepsite is killed", () -> lockOf(story, dead.pid(), "the same machine"))
                            .fails(0, "apply", "site.yaml", "--yes")
                            .goesOn();
                }),
                new FaultCase("state/DS4112-lock-taken-away", story -> {
                    story.lxd.meanwhile("POST /1.0/instances", () -> story.delete(".deepsite/lab/lock"));
                    story.fails(5, "apply", "site.yaml", "--yes").goesOn();
                }),
                new FaultCase("state/DS4113-no-such-lock", story -> {
                    story.does("apply", "site.yaml", "--yes").fails(2, "unlock", LOCK_ID, "--site", "site.yaml");
                }),
                new FaultCase("secrets/DS4201-another-vault-key", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .then("the vault key is overwritten", () -> story.vaultKey("another key\n"))
                            .fails(2, "apply", "site.yaml", "--yes")
                            .then("it is restored from a backup", () -> story.vaultKey("key of the test\n"))
                            .goesOn();
                }),
                new FaultCase("secrets/DS4202-vault-key-lost", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .then("the vault key is lost", () -> Files.delete(story.vaultKeyFile()))
                            .fails(2, "apply", "site.yaml", "--yes")
                            .then("it is restored from a backup", () -> story.vaultKey("key of the test\n"))
                            .goesOn();
                }),
                new FaultCase("secrets/DS4203-vault-key-empty", story -> {
                    story.then("the vault key is empty", () -> story.vaultKey(""))
                            .fails(2, "apply", "site.yaml", "--yes")
                            .then("it is restored", () -> story.vaultKey("key of the test\n"))
                            .goesOn();
                }),
                new FaultCase("secrets/DS4204-first-vault-key", story -> {
                    Files.delete(story.vaultKeyFile());
                    story.fails(0, "apply", "site.yaml", "--yes").goesOn();
                }),
                new FaultCase("secrets/DS4205-vault-key-readable-by-all", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .edit("site.yaml", "memory: 1GiB", "memory: 2GiB")
                            .then(
                                    "everybody may read the vault key",
                                    () -> Files.setPosixFilePermissions(
                                            story.vaultKeyFile(), PosixFilePermissions.fromString("rw-r--r--")))
                            .fails(0, "apply", "site.yaml", "--yes")
                            .then(
                                    "the admin types the suggested command",
                                    () -> Files.setPosixFilePermissions(
                                            story.vaultKeyFile(), PosixFilePermissions.fromString("rw-------")))
                            .goesOn();
                }),
                new FaultCase("secrets/DS4206-vault-damaged", story -> {
                    story.does("apply", "site.yaml", "--yes");
                    var before = story.read(VAULT);
                    story.then("the vault is overwritten", () -> story.write(VAULT, "munge_key: x\n"))
                            .fails(2, "apply", "site.yaml", "--yes")
                            .then("it is restored from a backup", () -> story.write(VAULT, before))
                            .goesOn();
                }),
                new FaultCase("secrets/DS4207-no-such-secret", story -> {
                    story.does("apply", "site.yaml", "--yes")
                            .fails(2, "secrets", "show", "nosuch", "--site", "site.yaml");
                }),
                new FaultCase("secrets/DS4208-no-name-for-a-secret", story -> {
                    story.answering("value");
                    story.fails(2, "secrets", "set", "Munge Key", "--site", "site.yaml");
                }),
                new FaultCase("secrets/DS4209-no-value-for-a-secret", story -> {
                    story.answering("two\nlines");
                    story.fails(2, "secrets", "set", "slurmdbd_password", "--site", "site.yaml");
                    story.answering("-----BEGIN RSA PRIVATE KEY-----");
                    story.fails(2, "secrets", "set", "cloud_ssh_key", "--site", "site.yaml");
                }));
    }

    /** The lock, held by another apply of this process. */
    private static SiteLock.HeldLock hold(FaultStory story) {
        return new FileSiteLock(new StateFolder(story.state), LockOwner.current(Version.CURRENT), story::now, _ -> {})
                .acquire("apply");
    }

    /** The lock of an apply that no longer runs. */
    static void lockOf(FaultStory story, long pid, String where) throws java.io.IOException {
        var here = LockOwner.current(Version.CURRENT);
        var owner = new LockOwner(
                "bob", "lab-host", where.equals("the same machine") ? here.machine() : where, pid, 1, Version.CURRENT);
        var since = Instant.parse("2026-01-02T03:00:00Z");
        var record = new LockRecord(
                LOCK_ID,
                "apply",
                owner,
                since,
                since,
                story.state.resolve("lock").toString());
        var fields = new LinkedHashMap<String, Object>();
        fields.put("heartbeat", record.heartbeat().toString());
        fields.put("id", record.id());
        fields.put("operation", record.operation());
        fields.put("owner", owner);
        fields.put("path", record.path());
        fields.put("since", record.since().toString());
        Files.write(
                story.state.resolve("lock"),
                FakeLxd.JSON.writeValueAsString(fields).getBytes(StandardCharsets.UTF_8));
    }
}
