package io.deepsite.service.sites;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.kagkarlsson.scheduler.Scheduler;
import io.deepsite.ansible.Bundle;
import io.deepsite.ansible.ControlNodes;
import io.deepsite.ansible.Playbook;
import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.operations.MemorySites;
import io.deepsite.service.catalogue.Amounts;
import io.deepsite.service.catalogue.OrderedYaml;
import io.deepsite.service.records.Tables;
import io.deepsite.site.Name;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The first process works on a run, whose second playbook another one may run. {@code ansible-playbook} is a script of each
 * test; real ones run in the lane service-replicas.
 */
@SuppressWarnings("NullAway.Init") // before each test
class SharedPlaybooksIT {
    private static final String SITE = "hpc-1";

    @TempDir
    Path folder;

    private final FreshDatabase database = new FreshDatabase();
    private final List<AutoCloseable> parts = new ArrayList<>();
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private Replica first;
    private ControlNodes nodes;
    private Path ends;

    @BeforeEach
    void begin() throws Exception {
        ends = folder.resolve("the-first-playbook-ends");
        first = replica("first");
        var site = site();
        var run = first.tables.in(handle -> {
            handle.execute("INSERT INTO service.project (name) VALUES (?)", site.project());
            SiteTable.insert(handle, site);
            RunTable.insert(handle, "run-1", site.id(), RunRow.Verb.APPLY, site.owner(), Instant.now());
            RunTable.begin(handle, "run-1", Instant.now());
            return RunTable.find(handle, "run-1").orElseThrow();
        });
        var records = first.runtime.records(folder.resolve("first/site.yaml"), Name.parse(SITE));
        parts.add(records);
        parts.add(records.lock().acquire("apply"));
        var offers = new PlaybookWork(first.tables, first.work, InstantSource.system(), "the first", () -> false);
        var scheduler = Scheduler.create(first.tables.source(), offers.task())
                .tableName(Tables.SCHEMA + ".scheduled_tasks")
                .build();
        nodes = offers.of(site, run, Replica.HOSTS_PER_PROCESS, scheduler);
    }

    @AfterEach
    void close() throws Exception {
        for (var part : parts.reversed()) {
            part.close();
        }
        database.close();
    }

    private Replica replica(String name) throws IOException {
        var replica = new Replica(
                Files.createDirectory(folder.resolve(name)), database, new MemorySites(), Quota.NONE, (_, _, _) -> {});
        parts.add(replica);
        return replica;
    }

    private static SiteRow site() {
        var now = Instant.now();
        return new SiteRow(
                "site-1",
                SITE,
                "My cluster",
                "biology",
                ServiceLab.ALICE.id(),
                ServiceLab.ALICE.name(),
                Optional.of("hpc"),
                Optional.empty(),
                new TreeMap<>(),
                OrderedYaml.named(ServiceLab.YAML, SITE),
                SiteStatus.BUILDING,
                1,
                0,
                true,
                Amounts.NONE,
                now,
                now,
                Optional.of(now),
                Optional.empty(),
                Optional.empty(),
                false,
                Optional.empty(),
                List.of(),
                false,
                List.of());
    }

    /** @param second what Ansible does in the second playbook */
    private void ansible(String second) throws IOException {
        var program = Files.createDirectories(folder.resolve("bin")).resolve("ansible-playbook");
        Files.createFile(program, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Files.writeString(
                program,
                "#!/bin/sh\n[ \"$1\" = --version ] && echo '[core 2.14.0]' && exit\n"
                        + "case $PWD in */bundle-1) until [ -e " + ends + " ]; do sleep 0.1; done; exit ;; esac\n"
                        + second);
    }

    private Playbook playbook(int number) throws IOException {
        var bundle = Files.createDirectories(folder.resolve("first/run/bundle-" + number));
        Files.writeString(bundle.resolve("ansible.cfg"), "[defaults]\nvault_password_file = /of/the/first\n");
        Files.writeString(bundle.resolve(Bundle.PLAYBOOK), "[]");
        return new Playbook(
                Integer.toString(number),
                bundle,
                bundle.getParent(),
                Replica.HOSTS_PER_PROCESS,
                first.runtime.environment(),
                Optional.of(Duration.ofSeconds(40)));
    }

    private interface Watch {
        void during(Runnable stop) throws Exception;
    }

    /** Runs the second playbook beside the first one, which works here. */
    private int second(Watch watch) throws Exception {
        var playbook = playbook(2);
        var stop = new LinkedBlockingQueue<Runnable>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var begun = new LinkedBlockingQueue<Runnable>();
            var one = threads.submit(() -> nodes.run(playbook(1), _ -> {}, begun::add));
            begun.take();
            var two = threads.submit(() -> nodes.run(playbook, lines::add, stop::add));
            try {
                watch.during(stop.take());
                return two.get();
            } finally {
                Files.createFile(ends);
                one.get();
            }
        }
    }

    private List<String> rows(String query) {
        return first.tables.in(
                handle -> handle.createQuery(query).mapTo(String.class).list());
    }

    private void sql(String statement) {
        first.tables.in(handle -> handle.execute(statement));
    }

    @Test
    void anotherProcessRunsItAndTheFirstOneKnowsAllOfIt() throws Exception {
        ansible("""
                echo '{"event":"play","play":"motd"}' >>"$DEEPSITE_EVENTS"
                echo '{"event":"stats"}' >>"$DEEPSITE_EVENTS"
                echo 10.0.0.1 >>ssh-connections
                pwd; cat ansible.cfg; ls -d ../../../login_key
                exit 3
                """);
        replica("other").start();

        int exit = second(_ -> {});

        assertThat(exit).isEqualTo(3);
        assertThat(lines).containsExactly("{\"event\":\"play\",\"play\":\"motd\"}", "{\"event\":\"stats\"}");
        var run = folder.resolve("first/run");
        assertThat(run.resolve("ansible-2.ndjson")).content().hasLineCount(2);
        assertThat(run.resolve("bundle-2/ssh-connections")).hasContent("10.0.0.1");
        assertThat(run.resolve("ansible-2.log"))
                .content()
                .contains(
                        folder.resolve("other").toString(),
                        "vault_password_file = " + folder.resolve("vault.key") + "\n");
        assertThat(rows("SELECT id FROM service.playbook")).isEmpty();
        try (var left = Files.walk(folder.resolve("other"))) {
            assertThat(left.map(Path::toString)).noneMatch(file -> file.contains("/runs/"));
        }
    }

    @Test
    void whatNobodyTakesRunsHere() throws Exception {
        ansible("pwd\n");

        assertThat(second(_ -> {})).isZero();

        assertThat(folder.resolve("first/run/ansible-2.log"))
                .hasContent(folder.resolve("first/run/bundle-2").toString());
        assertThat(rows("SELECT id FROM service.playbook")).isEmpty();
    }

    @Test
    void oneThatCannotRunAnsibleGivesItBack() throws Exception {
        ansible("pwd\n");
        var other = replica("other");
        Files.writeString(folder.resolve("other/sites"), "where its folders would be");
        other.start();

        assertThat(second(_ -> {})).isZero();

        assertThat(folder.resolve("first/run/ansible-2.log"))
                .hasContent(folder.resolve("first/run/bundle-2").toString());
    }

    @Test
    void aCancelledRunBeginsNothingMoreThere() throws Exception {
        ansible("echo begun >>\"$DEEPSITE_EVENTS\"; until [ -e cancelled ]; do sleep 0.1; done\n");
        replica("other").start();

        int exit = second(_ -> {
            lines.take();
            Playbook.beginNothingMore(folder.resolve("first/run/bundle-2"));
        });

        assertThat(exit).isZero();
    }

    @Test
    void isStoppedThereAtOnceWhenAsked() throws Exception {
        ansible("echo begun >>\"$DEEPSITE_EVENTS\"; exec sleep 600\n");
        replica("other").start();

        int exit = second(stop -> {
            lines.take();
            stop.run();
        });

        assertThat(exit).isEqualTo(143);
    }

    @Test
    void isStoppedThereWhenTheLockOfTheSiteHasEnded() throws Exception {
        ansible("echo begun >>\"$DEEPSITE_EVENTS\"; exec sleep 600\n");
        replica("other").start();

        int exit = second(_ -> {
            lines.take();
            sql("UPDATE deepsite.site_lock SET expires_at = now() - interval '1 second'");
        });

        assertThat(exit).isEqualTo(143);
    }

    @Test
    void isStoppedThereWhenTheRunWasBegunAnew() throws Exception {
        ansible("echo $$ >>\"$DEEPSITE_EVENTS\"; exec sleep 600\n");
        replica("other").start();

        assertLost(() -> second(_ -> {
            var process = ProcessHandle.of(Long.parseLong(lines.take())).orElseThrow();
            sql("DELETE FROM service.playbook");
            process.onExit().join();
        }));
    }

    @Test
    void isLostIfItsProcessShowsNoLife() throws Exception {
        ansible("echo begun >>\"$DEEPSITE_EVENTS\"; exec sleep 600\n");

        assertLost(() -> second(_ -> {
            awaitOffer();
            sql("UPDATE service.playbook SET taken_by = 'the other', seen_at = now() - interval '61 seconds'");
        }));
    }

    private void awaitOffer() throws InterruptedException {
        while (rows("SELECT id FROM service.playbook").isEmpty()) {
            Thread.onSpinWait();
        }
    }

    private static void assertLost(org.assertj.core.api.ThrowableAssert.ThrowingCallable run) {
        assertThatThrownBy(run)
                .cause()
                .isInstanceOfSatisfying(
                        Failure.class,
                        e -> assertThat(e.diagnostics())
                                .singleElement()
                                .satisfies(fault -> assertThat(fault.code()).isEqualTo(Code.CONTROL_NODE_LOST)));
    }
}
