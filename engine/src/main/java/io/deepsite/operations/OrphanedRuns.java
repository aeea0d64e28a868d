package io.deepsite.operations;

import io.deepsite.ansible.OrphanedRun;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Waits for Ansible that a killed deepsite left at work. It is never ended: in the middle of an installation that does
 * more harm than its end, which is near.
 */
record OrphanedRuns(Path runs, Consumer<Diagnostic> notices) {
    private static final Duration LIMIT = Duration.ofMinutes(15);

    /** @throws Failure ANSIBLE_STILL_RUNS, CANCELLED */
    void await() {
        // Several: the steps of several hosts run at once, and Ansible has a worker for each host.
        for (var play = OrphanedRun.find(runs); play.isPresent(); play = OrphanedRun.find(runs)) {
            await(play.get());
        }
    }

    private void await(OrphanedRun play) {
        var who = "Process " + play.process().pid() + " works on after its deepsite was killed.";
        notices.accept(new Diagnostic(
                Diagnostic.Severity.NOTE,
                Code.ANSIBLE_STILL_RUNS,
                null,
                who,
                "deepsite waits for it: what it does belongs to the plan of that run.",
                List.of()));
        try {
            if (!play.awaitEnd(LIMIT)) {
                throw new Failure(Diagnostic.error(
                        Code.ANSIBLE_STILL_RUNS,
                        who + " It did not end within " + LIMIT.toMinutes() + " minutes.",
                        "Wait for its end or end it, then run the same command again:",
                        "kill " + play.process().pid()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(
                    Diagnostic.error(Code.CANCELLED, "The wait for the end of a killed run was interrupted.", ""), e);
        }
    }
}
