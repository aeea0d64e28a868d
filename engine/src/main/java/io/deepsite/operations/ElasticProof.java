package io.deepsite.operations;

import io.deepsite.apply.Cancel;
import io.deepsite.apply.Event;
import io.deepsite.cluster.Elastic;
import io.deepsite.remote.ShellWord;
import io.deepsite.verify.CheckResult;
import io.deepsite.verify.Verifier;
import io.deepsite.verify.VerifyReport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.TreeSet;
import java.util.function.Consumer;

/** Whether elastic machines can come: what the programs of their controllers say, beside the proof of the site. */
final class ElasticProof {
    /** Longer than the programs try. */
    private static final Duration WHOLE = Duration.ofMinutes(30);

    private final SiteContext context;
    private final ElasticMachines machines;
    private final boolean makes;

    /** @param makes a machine of each group, for a test job */
    ElasticProof(SiteContext context, boolean makes) {
        this.context = context;
        this.machines = context.elastic();
        this.makes = makes;
    }

    /** @throws io.deepsite.diag.Failure NO_ELASTIC if there is none to make */
    void refuseNone() {
        if (makes) {
            ElasticOperation.refuseNone(context, machines);
        }
    }

    /** The report with its results; a site that does not prove itself makes no machines. */
    VerifyReport added(VerifyReport report, Consumer<Event> events, Cancel cancel) {
        if (machines.clusters().isEmpty()) {
            return report;
        }
        var proofs = new ArrayList<Verifier.Proof>();
        machines.clusters()
                .forEach((name, elastic) -> proofs.add(new Verifier.Proof(
                        name.value(),
                        context.target(context.site()
                                .machineNames(elastic.controller())
                                .getFirst()),
                        script(elastic, makes && report.count(CheckResult.Verdict.FAILED) == 0))));
        events.accept(new Event.Phase("Elastic nodes", proofs.size()));
        var terms = new Verifier.Terms(context.site().verify().patience().duration(), WHOLE, new TreeSet<>());
        var results = new ArrayList<>(report.results());
        results.addAll(
                SiteProof.run(context.remote(), proofs, terms, events, cancel).results());
        return new VerifyReport(results);
    }

    private static String script(Elastic elastic, boolean makes) {
        return "exec " + ShellWord.quote(elastic.program()) + " verify" + (makes ? " make" : "");
    }
}
