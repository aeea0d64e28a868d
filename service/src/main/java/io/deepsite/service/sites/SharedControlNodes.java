package io.deepsite.service.sites;

import io.deepsite.ansible.Bundle;
import io.deepsite.ansible.ControlNodes;
import io.deepsite.ansible.Playbook;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.operations.SharedPlaybook;
import io.deepsite.service.records.Tables;
import io.deepsite.state.AtomicFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The processes of Ansible of one run on a large site: the first works here, others are offered to all processes of the
 * service. What nobody takes works here, too.
 */
final class SharedControlNodes implements ControlNodes {
    private static final Duration LOOK_EVERY = Duration.ofMillis(250);
    /** Others look once a second. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);
    /** For one that takes part without being able to say so any more, its Ansible ends within this, as its lock would. */
    private static final Duration LIFE = Duration.ofMinutes(1);
    /** How a playbook is stopped, in the table. */
    static final int NOTHING_MORE = 1;

    static final int AT_ONCE = 2;
    /** Of a run, here and elsewhere. */
    private static final int PROCESSES = 16;

    private final Tables tables;
    private final int hosts;
    private final Function<SharedPlaybook.Task, String> offers;
    private final Semaphore here = new Semaphore(THIS.processes());

    /**
     * @param hosts that one process configures at most
     * @param offers a playbook to all processes, and returns its id
     */
    SharedControlNodes(Tables tables, int hosts, Function<SharedPlaybook.Task, String> offers) {
        this.tables = tables;
        this.hosts = hosts;
        this.offers = offers;
    }

    @Override
    public int processes() {
        return PROCESSES;
    }

    @Override
    public int hosts() {
        return hosts;
    }

    @Override
    public int run(Playbook playbook, Consumer<String> lines, Stop stop) {
        try {
            boolean isFirst = here.availablePermits() == THIS.processes();
            boolean isSmall = playbook.hosts() * 2 <= hosts;
            if ((isFirst && here.tryAcquire()) || (isSmall && acquired())) {
                return here(playbook, lines, stop);
            }
            return new Offered(playbook, lines).run(stop);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(Diagnostic.error(Code.CANCELLED, "A run of Ansible was interrupted.", ""), e);
        }
    }

    private boolean acquired() throws InterruptedException {
        here.acquire();
        return true;
    }

    private int here(Playbook playbook, Consumer<String> lines, Stop stop) {
        try {
            return playbook.run(lines, stop);
        } finally {
            here.release();
        }
    }

    /** A playbook that another process may run. */
    private final class Offered {
        private final String id;
        private final Playbook playbook;
        private final Consumer<String> lines;
        private long known;
        private boolean told;

        Offered(Playbook playbook, Consumer<String> lines) {
            this.playbook = playbook;
            this.lines = lines;
            this.id = offers.apply(SharedPlaybook.Task.of(playbook));
        }

        int run(Stop stop) throws InterruptedException {
            stop.onAsked(() -> ask(AT_ONCE));
            for (long begun = System.nanoTime(); ; Thread.sleep(LOOK_EVERY)) {
                tellCancel();
                var progress = tables.whenBack(handle -> PlaybookTable.progress(handle, id, known))
                        .orElseThrow(() -> lost(playbook.hosts(), "The run was begun anew by another process."));
                pass(progress.lines());
                if (progress.ended().isPresent()) {
                    tables.whenBack(handle -> PlaybookTable.delete(handle, id));
                    return progress.ended().get().keepIn(playbook);
                }
                if (progress.takenBy().isPresent()) {
                    if (progress.silent().compareTo(LIFE) > 0) {
                        throw lost(
                                playbook.hosts(),
                                progress.takenBy().get() + " has said nothing for " + LIFE.toSeconds() + " s.");
                    }
                } else if (System.nanoTime() - begun > PATIENCE.toNanos() && here.tryAcquire()) {
                    if (tables.in(handle -> PlaybookTable.takeBack(handle, id))) {
                        return here(playbook, lines, stop);
                    }
                    here.release();
                }
            }
        }

        /** Whoever runs it has a copy of the bundle. */
        private void tellCancel() {
            if (!told && Files.exists(playbook.bundle().resolve(Bundle.CANCELLED))) {
                told = true;
                ask(NOTHING_MORE);
            }
        }

        private void ask(int how) {
            tables.whenBack(handle -> PlaybookTable.stop(handle, id, how));
        }

        /** Into the stream of the run, too. */
        private void pass(List<String> fresh) {
            if (!fresh.isEmpty()) {
                known += fresh.size();
                try {
                    Files.write(playbook.stream(), fresh, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                } catch (IOException e) {
                    throw AtomicFile.notWritten(playbook.stream(), e);
                }
                fresh.forEach(lines);
            }
        }
    }

    static Failure lost(int hosts, String why) {
        return new Failure(Diagnostic.error(
                Code.CONTROL_NODE_LOST,
                "Another process of the service ran Ansible on " + hosts + " hosts. " + why,
                "The run goes on by itself, with a look at what these hosts have."));
    }
}
