package io.deepsite.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.remote.LocalRemote;
import io.deepsite.verify.CheckResult.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class VerifierTest {
    private final LocalRemote remote = new LocalRemote();
    private final List<CheckResult> told = Collections.synchronizedList(new ArrayList<>());

    @Test
    void readsResultsAmongOtherOutput() {
        var report = run("""
                echo starting
                printf 'CHECK\\tjob\\tpassed\\tnode-1\\t0.512\\tran as %s\\n' alice
                printf 'CHECK\\tcontroller\\tpassed\\t-\\t1\\t\\n'
                echo CHECKED twice
                """);

        assertThat(report.results()).hasSize(2);
        assertThat(report.results().getFirst().node()).contains("node-1");
        assertThat(report.results().getFirst().message()).isEqualTo("ran as alice");
        assertThat(report.results().getFirst().seconds()).isEqualTo(0.512);
        assertThat(report.results().getLast().node()).isEmpty();
        assertThat(report.green()).isTrue();
        assertThat(told).isEqualTo(report.results());
    }

    @Test
    void passesItsTermsToTheScript() {
        var report = run("printf 'CHECK\\tx\\tpassed\\t-\\t0\\t%s %s\\n' \"$DEEPSITE_PATIENCE\" \"$DEEPSITE_FRESH\"");

        assertThat(report.results().getFirst().message()).isEqualTo("120 node-2 node-3");
    }

    @Test
    void countsBusyAsFailureOnFreshMachinesOnly() {
        var report = run("""
                printf 'CHECK\\tjob\\tbusy\\tnode-1\\t3\\truns job 7\\n'
                printf 'CHECK\\tjob\\tbusy\\tnode-2\\t3\\truns job 8\\n'
                """);

        assertThat(report.results().getFirst().outcome()).isEqualTo(Verdict.BUSY);
        assertThat(report.results().getLast().outcome()).isEqualTo(Verdict.FAILED);
        assertThat(report.results().getLast().message())
                .contains("just created")
                .contains("runs job 8");
        assertThat(report.green()).isFalse();
    }

    @Test
    void busyAloneIsNoFailure() {
        assertThat(run("printf 'CHECK\\tjob\\tbusy\\tnode-1\\t3\\tx\\n'").green())
                .isTrue();
    }

    @Test
    void failsAScriptThatDies() {
        var report = run("""
                printf 'CHECK\\tjob\\tpassed\\tnode-1\\t3\\tx\\n'
                echo 'srun: command not found' >&2
                exit 127
                """);

        assertThat(report.green()).isFalse();
        assertThat(report.results().getLast().message()).contains("127").contains("srun: command not found");
    }

    @Test
    void failsAScriptThatIsSilent() {
        assertThat(run("echo all is well").results().getFirst().message()).contains("no result");
    }

    @Test
    void failsAResultThatCannotBeRead() {
        for (var line : List.of(
                "CHECK", "CHECK\\tjob", "CHECK\\tjob\\tok\\t-\\t1\\tx", "CHECK\\tjob\\tpassed\\t-\\tsoon\\tx")) {
            var report = run("printf '" + line + "\\n'");

            assertThat(report.results()).as(line).hasSize(1);
            assertThat(report.green()).as(line).isFalse();
            assertThat(report.results().getFirst().message()).contains("cannot be read");
        }
    }

    @Test
    void failsAScriptThatTakesTooLong() {
        var terms = new Verifier.Terms(Duration.ofSeconds(120), Duration.ofMillis(200), new TreeSet<>());

        var report = new Verifier(remote, 4)
                .run(
                        List.of(proof("hpc", "printf 'CHECK\\tjob\\tpassed\\t-\\t1\\tx\\n'; sleep 30")),
                        terms,
                        () -> false,
                        told::add);

        assertThat(report.results().getLast().message()).contains("took too long");
        assertThat(report.green()).isFalse();
    }

    @Test
    void aHostThatIsGoneFailsItsOwnClusterOnly() {
        remote.without("head-b", Code.HOST_SILENT);
        var ok = "printf 'CHECK\\tjob\\tpassed\\t-\\t1\\tx\\n'";

        var report = new Verifier(remote, 4)
                .run(List.of(proof("a", ok), proof("b", ok), proof("c", ok)), terms(), () -> false, told::add);

        assertThat(report.results()).extracting(CheckResult::cluster).containsExactly("a", "b", "c");
        assertThat(report.results())
                .extracting(CheckResult::outcome)
                .containsExactly(Verdict.PASSED, Verdict.FAILED, Verdict.PASSED);
        assertThat(report.results().get(1).message()).contains("does not answer SSH");
    }

    @Test
    void beginsNoProofOnceItIsToStop() {
        var proofs = List.of(proof("hpc", "exit 0"));

        assertThatThrownBy(() -> new Verifier(remote, 4).run(proofs, terms(), () -> true, told::add))
                .isInstanceOfSatisfying(
                        Failure.class,
                        e -> assertThat(e.diagnostics().getFirst().code()).isEqualTo(Code.CANCELLED));
        assertThat(told).isEmpty();
    }

    @Test
    void readsNotMoreResultsThanAClusterHasAndNoneThatPlaysWithATerminal() {
        var report = run("""
                yes "$(printf 'CHECK\\tjob\\tpassed\\tnode-1\\t1\\tx\\302\\2332J\\033[2J')" | head -n 30000
                """);

        assertThat(report.results()).hasSize(Verifier.MOST_RESULTS + 1);
        assertThat(report.green()).isFalse();
        assertThat(report.results().getLast().message()).contains("or more");
        assertThat(report.results().getFirst().message()).isEqualTo("x?2J?[2J");
    }

    @Test
    void aLongMessageIsCut() {
        assertThat(run("printf 'CHECK\\tjob\\tpassed\\t-\\t1\\t%05000d\\n' 1")
                        .results()
                        .getFirst()
                        .message())
                .hasSize(4001);
    }

    private VerifyReport run(String script) {
        return new Verifier(remote, 4).run(List.of(proof("hpc", script)), terms(), () -> false, told::add);
    }

    private static Verifier.Proof proof(String cluster, String script) {
        return new Verifier.Proof(cluster, LocalRemote.target("head-" + cluster), script);
    }

    private static Verifier.Terms terms() {
        return new Verifier.Terms(
                Duration.ofMinutes(2), Duration.ofHours(1), new TreeSet<>(List.of("node-2", "node-3")));
    }
}
