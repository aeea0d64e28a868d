package io.deepsite.plan;

import io.deepsite.contract.Contents;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Bill;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ObservedResource;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** A {@link Plan} as it stands in JSON: without the parts, so that its keys are sorted as a whole. */
record StoredPlan(
        int formatVersion,
        String tool,
        String site,
        String lineage,
        long serial,
        String fingerprint,
        Optional<Long> leaseSeconds,
        Optional<Long> leaseMaxSeconds,
        List<ObservedResource> retags,
        List<Plan.Drift> drift,
        SortedMap<String, List<Diagnostic>> silent,
        List<String> unchanged,
        Bill bill,
        SortedMap<String, Machine> machines,
        List<Plan.StageOrder> stages,
        List<Plan.SecretChange> secrets,
        List<Step> steps,
        Barriers barriers,
        List<Plan.Proof> proofs,
        Contents contents) {

    static StoredPlan of(Plan plan) {
        return new StoredPlan(
                plan.origin().formatVersion(),
                plan.tool(),
                plan.site(),
                plan.lineage(),
                plan.serial(),
                plan.fingerprint(),
                plan.leaseSeconds(),
                plan.leaseMaxSeconds(),
                plan.retags(),
                plan.drift(),
                plan.silent(),
                plan.unchanged(),
                plan.bill(),
                plan.machines(),
                plan.stages(),
                plan.secrets(),
                plan.steps(),
                plan.barriers(),
                plan.proofs(),
                plan.contents());
    }

    Plan plan() {
        return new Plan(
                new Plan.Origin(formatVersion, tool, site, lineage, serial, fingerprint),
                new Plan.Lifetime(leaseSeconds, leaseMaxSeconds, retags),
                new Plan.Observed(drift, silent, unchanged, bill),
                machines,
                stages,
                secrets,
                steps,
                barriers,
                proofs,
                contents);
    }
}
