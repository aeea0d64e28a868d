package io.deepsite.cli.view;

import io.deepsite.plan.Change;
import io.deepsite.plan.Consent;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.text.Elapsed;
import io.deepsite.text.HostNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A plan for people: what changes, where, why, and what it costs. */
public final class PlanView {
    private final Style style;
    private final Detail detail;

    /** How much to show. */
    public enum Detail {
        /** One line per step. */
        STEPS,
        /** Every attribute, item and diff. */
        FULL
    }

    public PlanView(Style style, Detail detail) {
        this.style = style;
        this.detail = detail;
    }

    /** Ends with a line break. */
    public String text(Plan plan) {
        return text(plan, true);
    }

    /** The same without consents, for a command that is itself the consent. */
    public String removal(Plan plan) {
        return text(plan, false);
    }

    private String text(Plan plan, boolean asksConsent) {
        var lines = new Lines();
        secrets(lines, plan);
        drift(lines, plan);
        silent(lines, plan);
        new PlanResources(style, detail).into(lines, plan);
        new PlanHosts(style, detail, plan).into(lines);
        revised(lines, plan);
        new BillView(style).into(lines, plan);
        if (asksConsent) {
            consents(lines, plan);
        }
        lines.gap().add(0, style.bold(summary(plan)));
        if (!plan.isEmpty()) {
            after(lines, plan);
        }
        return lines.toString();
    }

    /** One line. */
    public static String summary(Plan plan) {
        var unchanged = plan.unchanged().size();
        var hosts = unchanged + (unchanged == 1 ? " host" : " hosts");
        if (plan.isEmpty()) {
            return unchanged == 0
                    ? "Nothing to change."
                    : "Nothing to change: " + hosts + (unchanged == 1 ? " matches" : " match") + " site.yaml.";
        }
        var counts = new ArrayList<String>();
        counts.add(plan.count(Change.CREATE) + " to create");
        counts.add(plan.count(Change.UPDATE) + " to change");
        if (plan.count(Change.REPLACE) > 0) {
            counts.add(plan.count(Change.REPLACE) + " to replace");
        }
        counts.add(plan.count(Change.DELETE) + " to destroy");
        if (plan.count(Change.RELEASE) > 0) {
            counts.add(plan.count(Change.RELEASE) + " to release");
        }
        if (plan.count(Change.NONE) > 0) {
            counts.add(plan.count(Change.NONE) + " to finish");
        }
        return "Plan: " + String.join(", ", counts) + "; " + hosts + " unchanged"
                + (plan.silent().isEmpty() ? "" : ", " + plan.silent().size() + " not reached");
    }

    /** The consents that the plan needs, one line each; empty for none. */
    public static String consents(Plan plan) {
        var lines = new Lines();
        for (Consent consent : plan.consents()) {
            lines.add(2, consent.word() + ": " + consent.meaning() + " (" + askers(plan, consent) + ")");
        }
        return lines.toString();
    }

    /** The hosts and resources that need this consent. */
    public static String askers(Plan plan, Consent consent) {
        return HostNames.brief(plan.steps().stream()
                .filter(step -> step.consents().contains(consent))
                .map(PlanView::subject)
                .distinct()
                .sorted(HostNames::compare)
                .toList());
    }

    private void secrets(Lines lines, Plan plan) {
        if (!plan.secrets().isEmpty()) {
            lines.gap().add(0, style.bold("Secrets"));
            plan.secrets()
                    .forEach(secret -> lines.add(
                            2,
                            style.sign(secret.change()) + " " + secret.name()
                                    + (secret.change() == Change.UPDATE ? style.dim("  rotated") : "")));
        }
    }

    private void drift(Lines lines, Plan plan) {
        if (!plan.drift().isEmpty()) {
            lines.gap()
                    .add(0, style.bold("Drift") + ": changed outside deepsite since the last apply")
                    .append(new DriftView(style).text(plan.drift()));
        }
    }

    private void silent(Lines lines, Plan plan) {
        if (!plan.silent().isEmpty()) {
            lines.gap()
                    .add(
                            0,
                            style.bold("Not reached")
                                    + ": their steps wait, and so does every step that depends on them");
            plan.silent()
                    .forEach((host, faults) -> lines.add(
                            2,
                            style.red("! " + host) + "  "
                                    + faults.stream()
                                            .map(fault -> fault.code().summary())
                                            .distinct()
                                            .collect(Collectors.joining(", "))));
        }
    }

    /** Roles that this version of deepsite revises without changing a file on their hosts. */
    private static void revised(Lines lines, Plan plan) {
        var hosts = new TreeMap<String, Integer>();
        for (var step : plan.steps()) {
            if (step instanceof Step.OfRole role && role.isOnlyRevised()) {
                hosts.merge(role.role(), 1, Integer::sum);
            }
        }
        if (!hosts.isEmpty()) {
            lines.gap();
            hosts.forEach((role, count) -> lines.add(
                    0,
                    "Role " + role + " revised: " + count + (count == 1 ? " host" : " hosts")
                            + " re-run, 0 files differ"));
        }
    }

    private void consents(Lines lines, Plan plan) {
        if (!plan.consents().isEmpty()) {
            var words = plan.consents().stream().map(Consent::word).toList();
            lines.gap()
                    .add(0, style.bold("Needs your consent") + ": --allow " + String.join(",", words))
                    .append(consents(plan));
        }
    }

    private void after(Lines lines, Plan plan) {
        var lease = plan.leaseSeconds()
                .map(seconds -> "Lease: " + Elapsed.words(Duration.ofSeconds(seconds))
                        + " from the first apply"
                        + plan.leaseMaxSeconds()
                                .map(most -> ", at most " + Elapsed.words(Duration.ofSeconds(most)))
                                .orElse("")
                        + ".");
        var proofs = plan.proofs().stream()
                .map(proof -> proof.cluster() + " (" + proof.kind() + ")")
                .distinct()
                .toList();
        var proof = proofs.isEmpty()
                ? Optional.<String>empty()
                : Optional.of("Then verify: " + String.join(", ", proofs) + ".");
        if (plan.serial() == 0) {
            lease.ifPresent(line -> lines.add(0, line));
        }
        proof.ifPresent(line -> lines.add(0, line));
    }

    /** The host or resource that a step is about, as events name it. */
    public static String subject(Step step) {
        return switch (step) {
            case Step.OfResource resource ->
                resource.isMachine() ? id(resource).substring(id(resource).indexOf('/') + 1) : id(resource);
            case Step.OfRole role -> role.host();
            case Step.Leave leave -> leave.host();
        };
    }

    static String id(Step.OfResource step) {
        return step.desired()
                .map(Resource::id)
                .or(() -> step.seen().map(ObservedResource::id))
                .map(Object::toString)
                .orElse(step.id());
    }
}
