package io.deepsite.service.page;

import io.deepsite.plan.Consent;
import io.deepsite.service.sites.EventRow;
import io.deepsite.service.sites.LeaseWarnings;
import io.deepsite.service.sites.Quota;
import io.deepsite.service.sites.RunRow;
import io.deepsite.service.sites.ShareRow;
import io.deepsite.service.sites.SiteService;
import io.deepsite.service.sites.SiteStatus;
import io.deepsite.text.Elapsed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the page of a site shows, in words. */
final class SitePage {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final SiteService.View view;
    private final Instant now;
    private final LeaseWarnings warnings;

    SitePage(SiteService.View view, Instant now, LeaseWarnings warnings) {
        this.view = view;
        this.now = now;
        this.warnings = warnings;
    }

    /**
     * What the person may do.
     *
     * @param decides whether the site is changed by this person
     * @param logsIn whether this person has an account on its machines
     */
    record Rights(boolean decides, boolean logsIn) {}

    SiteModel model(
            Frame frame,
            Optional<String> picture,
            List<Quota.Share> cost,
            List<EventRow> events,
            Rights rights,
            List<ShareRow> shares,
            LoginModel login) {
        var site = view.site();
        return new SiteModel(
                frame,
                site.id(),
                site.title(),
                site.status().word(),
                badge(site.status()),
                lead(),
                warning(),
                site.status() != SiteStatus.DELETED,
                progress(),
                picture,
                facts(),
                cost.stream()
                        .filter(share -> share.limit().isPresent() || share.asked() > 0)
                        .map(SitePage::share)
                        .toList(),
                site.status() == SiteStatus.PLANNED || site.status() == SiteStatus.WAITING ? plan() : List.of(),
                faults(),
                hosts(),
                checks(),
                rights.decides() ? actions() : List.of(),
                rights.decides()
                        && site.status() == SiteStatus.READY
                        && site.endsAt().isPresent(),
                rights.decides() && isResizable(),
                rights.logsIn() && site.isUsable(),
                login,
                rights.decides() && site.status() != SiteStatus.DELETING && site.status() != SiteStatus.DELETED,
                shares.stream()
                        .map(share -> new SiteModel.Colleague(
                                share.id(), share.personName(), share.account().orElse("")))
                        .toList(),
                events.stream()
                        .map(SitePage::line)
                        .filter(line -> !line.isEmpty())
                        .toList());
    }

    static String badge(SiteStatus status) {
        return switch (status) {
            case READY -> "done";
            case FAILED -> "failed";
            case DELETED -> "";
            default -> "cut";
        };
    }

    /** Nothing changes without another value; after a failure also the former values are some. */
    private boolean isResizable() {
        var site = view.site();
        return site.built()
                && !site.parameters().isEmpty()
                && (site.status() == SiteStatus.READY || site.status() == SiteStatus.FAILED);
    }

    private String lead() {
        var built = view.site().built();
        return switch (view.site().status()) {
            case PLANNING ->
                built
                        ? "The plan of its change is being made. The site stays as it is, and in use."
                        : "Its plan is being made. Nothing is built before you say yes to it.";
            case PLANNED ->
                built
                        ? "This is what would change. Until you say yes, the site stays as it is, and in use."
                        : "This is what would be made. Say yes, and it is built.";
            case WAITING ->
                view.site().startsAt().isAfter(now)
                        ? "It will be built at " + Elapsed.utc(view.site().startsAt()) + "."
                        : "It waits until the project's quota has room: place "
                                + view.place().map(String::valueOf).orElse("-") + " in the queue.";
            case BUILDING ->
                built
                        ? "It is being changed, and stays in use. You may close this page; the work goes on."
                        : "It is being built. You may close this page; the work goes on.";
            case READY -> "It works: the checks below ran on it.";
            case FAILED -> "The last run did not end well. What is there stays until you try again or delete it.";
            case DELETING -> "It is being deleted.";
            case DELETED -> "It is deleted, and the back-end has nothing of it any more.";
        };
    }

    private Optional<String> warning() {
        return warnings.due(view.site(), now)
                .flatMap(_ -> view.site().endsAt())
                .map(end -> "It ends " + left(end) + ", at " + Elapsed.utc(end)
                        + ", with everything on it. Save what you need"
                        + (view.site().status() == SiteStatus.READY ? ", or extend its lease." : "."));
    }

    private Optional<SiteModel.Progress> progress() {
        return view.runs().stream()
                .filter(run -> run.status() == RunRow.Status.RUNNING && run.steps() > 0)
                .findFirst()
                .map(run -> new SiteModel.Progress(
                        run.stepsDone(),
                        run.steps(),
                        view.left()
                                .map(left -> "about " + Elapsed.words(left) + " left, by former runs")
                                .orElse("")));
    }

    private List<SiteModel.Fact> facts() {
        var site = view.site();
        var facts = new ArrayList<SiteModel.Fact>();
        facts.add(new SiteModel.Fact("Name", site.name()));
        facts.add(new SiteModel.Fact("Project", site.project()));
        facts.add(new SiteModel.Fact("Owner", site.ownerName()));
        facts.add(new SiteModel.Fact("Ordered", Elapsed.utc(site.createdAt())));
        site.parameters()
                .forEach((name, value) -> facts.add(new SiteModel.Fact(
                        name,
                        Optional.ofNullable(site.target().get(name))
                                .filter(to -> !to.equals(value))
                                .map(to -> value + ", to be " + to)
                                .orElse(value))));
        // Of one that had its default until now.
        site.target().forEach((name, value) -> {
            if (!site.parameters().containsKey(name)) {
                facts.add(new SiteModel.Fact(name, "to be " + value));
            }
        });
        if (site.isUsable() && !site.elastic().isEmpty()) {
            facts.add(new SiteModel.Fact("There while jobs need them", String.join(", ", site.elastic())));
        }
        site.endsAt()
                .filter(_ -> site.status() != SiteStatus.DELETED)
                .ifPresent(end -> facts.add(new SiteModel.Fact("Ends", Elapsed.utc(end) + ", " + left(end))));
        return facts;
    }

    private String left(Instant end) {
        var left = Duration.between(now, end);
        return left.isNegative() ? "over" : "in " + Elapsed.words(left);
    }

    static SiteModel.Share share(Quota.Share share) {
        return new SiteModel.Share(
                share.name(),
                amount(share, share.asked()) + " more, " + amount(share, share.used()) + " used"
                        + share.limit()
                                .map(limit -> " of " + amount(share, limit))
                                .orElse(", no limit"),
                share.fits());
    }

    static String amount(Quota.Share share, long value) {
        return share.unit().equals("bytes") ? value / (1024 * 1024 * 1024) + " GiB" : String.valueOf(value);
    }

    private Optional<JsonNode> result(RunRow.Verb verb) {
        return view.runs().stream()
                .filter(run -> run.verb() == verb && run.status() == RunRow.Status.DONE)
                .findFirst()
                .flatMap(RunRow::result)
                .map(JSON::readTree);
    }

    private List<SiteModel.Step> plan() {
        var steps = new ArrayList<SiteModel.Step>();
        result(RunRow.Verb.PLAN)
                .ifPresent(plan -> plan.forEach(step -> steps.add(new SiteModel.Step(
                        text(step, "change"), text(step, "step"), text(step, "reason"), meaning(step)))));
        return steps;
    }

    /** What the step destroys or interrupts. */
    private static String meaning(JsonNode step) {
        return Arrays.stream(Consent.values())
                .filter(consent ->
                        List.of(text(step, "consents").split(",", -1)).contains(consent.word()))
                .map(Consent::meaning)
                .collect(Collectors.joining(", "));
    }

    /** Also those of a plan for a change, which leave the site as it is. */
    private List<SiteModel.Fault> faults() {
        var faults = new ArrayList<SiteModel.Fault>();
        var status = view.site().status();
        if ((status == SiteStatus.FAILED || status == SiteStatus.READY)
                && !view.runs().isEmpty()) {
            view.runs()
                    .getFirst()
                    .faults()
                    .map(JSON::readTree)
                    .ifPresent(all -> all.forEach(fault -> faults.add(new SiteModel.Fault(
                            text(fault, "code"), text(fault, "summary"), text(fault, "why"), text(fault, "fix")))));
        }
        return faults;
    }

    private boolean isBuilt() {
        return view.site().isUsable();
    }

    private List<SiteModel.Host> hosts() {
        var hosts = new ArrayList<SiteModel.Host>();
        if (isBuilt()) {
            result(RunRow.Verb.APPLY)
                    .ifPresent(result -> result.path("hosts")
                            .properties()
                            .forEach(host -> hosts.add(new SiteModel.Host(
                                    host.getKey(), host.getValue().asString()))));
        }
        return hosts;
    }

    private List<SiteModel.Check> checks() {
        var checks = new ArrayList<SiteModel.Check>();
        if (isBuilt()) {
            result(RunRow.Verb.APPLY)
                    .ifPresent(result -> result.path("checks")
                            .forEach(check -> checks.add(new SiteModel.Check(
                                    text(check, "outcome"),
                                    text(check, "cluster"),
                                    text(check, "id"),
                                    text(check, "node"),
                                    text(check, "message")))));
        }
        return checks;
    }

    private List<SiteModel.Action> actions() {
        boolean built = view.site().built();
        var confirm = new SiteModel.Action("confirm", built ? "Change it" : "Build it", false);
        var keep = new SiteModel.Action("cancel", "Leave it as it is", false);
        var cancel = new SiteModel.Action("cancel", "Stop", true);
        var retry = new SiteModel.Action("retry", "Try again", false);
        var delete = new SiteModel.Action("delete", "Delete", true);
        return switch (view.site().status()) {
            case PLANNING, READY -> List.of(delete);
            case PLANNED -> built ? List.of(confirm, keep, delete) : List.of(confirm, delete);
            case WAITING, BUILDING -> List.of(cancel, delete);
            case FAILED -> List.of(retry, delete);
            case DELETING, DELETED -> List.of();
        };
    }

    /** One line for people; empty for what says nothing to them. */
    private static String line(EventRow row) {
        var event = JSON.readTree(row.event());
        var at = Elapsed.utc(row.at()) + "  ";
        return switch (text(event, "event")) {
            case "asked" -> at + text(event, "by") + ": " + text(event, "what");
            case "phase" -> at + text(event, "name");
            case "started" -> at + text(event, "subject") + ": " + text(event, "what");
            case "ended" ->
                at + text(event, "subject") + ": "
                        + text(event, "outcome").toLowerCase(Locale.ROOT)
                        + (text(event, "message").isEmpty() ? "" : ": " + text(event, "message"));
            case "check" ->
                at + "check " + text(event, "cluster") + " " + text(event, "id") + " " + text(event, "node") + ": "
                        + text(event, "outcome");
            case "notice" -> at + (text(event, "text") + text(event, "why")).strip();
            case "elastic" -> at + text(event, "text");
            case "run" -> at + text(event, "verb") + ": " + text(event, "status");
            default -> "";
        };
    }

    private static String text(JsonNode node, String key) {
        var value = node.path(key);
        return value.isString() ? value.asString() : value.isMissingNode() || value.isNull() ? "" : value.toString();
    }
}
