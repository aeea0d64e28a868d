package io.deepsite.report;

import io.deepsite.site.Site;
import io.deepsite.state.Outcome;
import io.deepsite.state.RecordedApply;
import io.deepsite.state.RecordedLease;
import io.deepsite.state.RecordedVerify;
import io.deepsite.state.Runs;
import io.deepsite.state.SiteState;
import io.deepsite.state.SiteStores;
import io.deepsite.topology.Topology;
import io.deepsite.verify.CheckResult;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What was recorded of a site, put together for a person who was not there.
 *
 * @param tool version of deepsite that made this
 * @param made when
 * @param addresses of the machines that exist, by name
 * @param run the last run of apply or destroy; empty before the first
 * @param proof the last verify; empty where nothing was verified since the last change
 * @param drift the last look for it; empty if nobody looked
 * @param lease empty for a site that stays
 */
public record SiteReport(
        String tool,
        Instant made,
        Topology topology,
        SortedMap<String, String> addresses,
        Optional<Run> run,
        Optional<Proof> proof,
        Optional<Evidence.Drift> drift,
        Optional<RecordedLease> lease) {
    public SiteReport {
        addresses = new TreeMap<>(addresses);
    }

    /**
     * @param outcome as it was recorded; empty for a run that was killed
     * @param ended likewise
     * @param timeline empty where the run did nothing, or its log is gone
     */
    public record Run(String id, Optional<Outcome> outcome, Optional<Instant> ended, Optional<Timeline> timeline) {}

    /** @param results empty where they were not kept: by a deepsite older than reports */
    public record Proof(RecordedVerify verify, List<CheckResult> results) {
        public Proof {
            results = List.copyOf(results);
        }
    }

    /** Reads what is recorded of a site; asks neither a back-end nor a host. */
    public static SiteReport of(Site site, SiteState state, SiteStores records, String tool, Instant now) {
        var evidence = new Evidence(records.lastResults());
        var runs = records.runs();
        var all = runs.all();
        var last = all.isEmpty() ? Optional.<Runs.Run>empty() : Optional.of(all.getLast());
        var addresses = new TreeMap<String, String>();
        state.hosts().forEach((name, host) -> addresses.put(name, host.address()));
        return new SiteReport(
                tool,
                now,
                Topology.of(site, site.provider().machinesExist() ? PlannedHosts.byGroup(last) : Map.of())
                        .configured(configured(state)),
                addresses,
                last.map(run -> run(runs, run, state)),
                Optional.ofNullable(state.verify()).map(verify -> new Proof(verify, results(verify, evidence))),
                evidence.drift(),
                Optional.ofNullable(state.lease()));
    }

    private static Set<String> configured(SiteState state) {
        return state.hosts().entrySet().stream()
                .filter(host ->
                        !host.getValue().awaited() && !host.getValue().roles().isEmpty())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private static Run run(Runs runs, Runs.Run run, SiteState state) {
        var recorded =
                Optional.ofNullable(state.apply()).filter(apply -> apply.run().equals(run.id()));
        return new Run(
                run.id(),
                recorded.map(RecordedApply::outcome),
                recorded.map(RecordedApply::at),
                RunLog.read(runs, run).map(Timeline::of));
    }

    private static List<CheckResult> results(RecordedVerify verify, Evidence evidence) {
        return evidence.verify()
                .filter(kept -> kept.at().equals(verify.at()))
                .map(Evidence.Verify::results)
                .orElse(List.of());
    }
}
