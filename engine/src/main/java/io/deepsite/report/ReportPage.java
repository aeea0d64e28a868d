package io.deepsite.report;

import io.deepsite.state.Outcome;
import io.deepsite.text.Elapsed;
import io.deepsite.text.HostNames;
import io.deepsite.text.Markup;
import io.deepsite.text.Palette;
import io.deepsite.topology.Topology;
import io.deepsite.topology.TopologyPicture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A report as one HTML page: nothing is fetched and no script runs, so it can be sent by mail and opened anywhere. Every
 * picture has a table with the same data beside it.
 */
public final class ReportPage {
    /** Of names that may be as many as a site has. */
    private static final int LONGEST = 120;

    private static final String POLICY = "default-src 'none'; style-src 'unsafe-inline'";

    private final SiteReport report;
    private final Markup page = new Markup();

    private ReportPage(SiteReport report) {
        this.report = report;
    }

    /** Ends with a line break. */
    public static String html(SiteReport report) {
        return new ReportPage(report).whole();
    }

    private String whole() {
        var name = report.topology().site();
        page.open("html", "lang", "en").line().open("head").line();
        page.empty("meta", "charset", "utf-8").line();
        page.empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1")
                .line();
        page.empty("meta", "name", "color-scheme", "content", "light dark").line();
        page.empty("meta", "http-equiv", "Content-Security-Policy", "content", POLICY)
                .line();
        page.element("title", "Site " + name).line();
        page.style(Palette.CSS + PageStyle.CSS).closeLine();
        page.open("body").line().open("header").line();
        page.element("h1", "Site " + name).line();
        page.element("p", summary(), "class", "lead").line();
        page.open("nav", "aria-label", "Parts of this report");
        for (var part : List.of("Topology", "Last run", "Proof", "Drift", "Lease")) {
            page.element("a", part, "href", "#" + id(part)).text(" ");
        }
        page.closeLine().closeLine().open("main").line();
        topology();
        run();
        proof();
        drift();
        lease();
        page.closeLine().open("footer");
        page.element(
                "p",
                "Made by deepsite " + report.tool() + " at " + Elapsed.utc(report.made())
                        + ", from what was recorded until then. Times are UTC.");
        return "<!DOCTYPE html>\n" + page.closeLine().closeLine().close() + "\n";
    }

    private String summary() {
        var topology = report.topology();
        var words = new ArrayList<String>();
        boolean known = topology.groups().stream().allMatch(Topology.Group::known);
        words.add((known ? count(topology.machines(), "machine") : "Hosts of an inventory") + " on "
                + topology.provider()
                + (topology.clusters().isEmpty()
                        ? "."
                        : "; "
                                + topology.clusters().stream()
                                        .map(cluster -> cluster.name() + " (" + cluster.kind() + ")")
                                        .collect(Collectors.joining(", ", "clusters: ", "."))));
        words.add(report.run().map(this::summary).orElse("Nothing was applied yet."));
        words.add(report.proof()
                .map(proof -> "The last verify " + (proof.verify().outcome() == Outcome.PASSED ? "passed" : "failed")
                        + " at " + Elapsed.utc(proof.verify().at()) + ".")
                .orElse("Nothing was verified since the last change."));
        report.lease().ifPresent(lease -> words.add("The site ends at " + Elapsed.utc(lease.ends()) + "."));
        return String.join(" ", words);
    }

    private String summary(SiteReport.Run run) {
        var took = run.timeline()
                .map(timeline -> ", in " + Elapsed.words(timeline.took()))
                .orElse("");
        return run.outcome()
                .map(outcome -> "The last run " + (outcome == Outcome.PASSED ? "passed" : "failed") + took + ".")
                .orElse("The last run was stopped before its end.");
    }

    private void topology() {
        var topology = report.topology();
        section("Topology");
        var picture = new TopologyPicture(topology);
        figure(picture.svg()
                .inPage(
                        "topology-picture",
                        picture.title(),
                        picture.description(),
                        TopologyPicture.WIDTH,
                        picture.height()));
        var table =
                new PageTable(page, "Machines", "Machines", "Size", "Devices", "Part of", "Addresses", "Configured");
        topology.groups()
                .forEach(group -> table.row(
                        group.label()
                                + (group.hosts().size() > 1
                                        ? " (" + group.hosts().size() + ")"
                                        : ""),
                        group.size(),
                        devices(group),
                        topology.clusters().stream()
                                .filter(cluster -> !cluster.on(group.name()).isEmpty())
                                .map(cluster -> cluster.name() + ": " + String.join(", ", cluster.on(group.name())))
                                .collect(Collectors.joining("; ")),
                        addresses(group),
                        group.configured()
                                .filter(_ -> group.known())
                                .map(number -> number + " of " + group.hosts().size())
                                .orElse("")));
        table.end();
        var networks = new PageTable(page, "Networks", "Network", "Of", "Addresses", "Purpose");
        topology.networks()
                .forEach(network -> networks.row(
                        network.name(),
                        "machines",
                        network.range().map(Object::toString).orElse(""),
                        network.purpose()));
        topology.clusters()
                .forEach(cluster -> cluster.networks()
                        .forEach(network -> networks.row(
                                network.name(),
                                "cluster " + cluster.name(),
                                network.range().map(Object::toString).orElse(""),
                                network.purpose())));
        networks.end();
        page.closeLine();
    }

    private static String devices(Topology.Group group) {
        var all = new ArrayList<>(group.gpus());
        group.passed().forEach(device -> all.add("for VMs: " + device));
        return String.join("; ", all);
    }

    private String addresses(Topology.Group group) {
        var known = group.hosts().stream()
                .map(host -> report.addresses().getOrDefault(host, ""))
                .filter(address -> !address.isEmpty())
                .toList();
        return known.size() < 3 ? String.join(", ", known) : known.getFirst() + " … " + known.getLast();
    }

    private void run() {
        section("Last run");
        report.run()
                .ifPresentOrElse(
                        this::run,
                        () -> page.element("p", "Nothing was applied yet.").line());
        page.closeLine();
    }

    private void run(SiteReport.Run run) {
        page.open("p");
        run.outcome().ifPresentOrElse(this::badge, () -> badge("cut", "◐", "stopped before its end"));
        page.text(" Run " + run.id()
                        + run.ended()
                                .map(ended -> ", ended at " + Elapsed.utc(ended))
                                .orElse("")
                        + run.timeline()
                                .map(timeline -> ", took " + Elapsed.words(timeline.took()))
                                .orElse("") + ".")
                .closeLine();
        var timeline = run.timeline().filter(one -> !one.rows().isEmpty());
        if (timeline.isEmpty()) {
            page.element("p", "It changed no machine.").line();
            return;
        }
        figure(new TimelinePicture(timeline.get()).inPage("timeline-picture"));
        var table = new PageTable(page, "Steps", "On", "Step", "Result", "Began after", "Took at most", "Message");
        timeline.get()
                .rows()
                .forEach(row -> row.steps()
                        .forEach(step -> table.row(
                                names(row.subjects()),
                                step.what(),
                                step.how().words(),
                                Elapsed.words(step.from()),
                                step.how() == Timeline.How.NOT_TRIED
                                        ? ""
                                        : Elapsed.words(step.slowest().length()),
                                step.message())));
        table.end();
    }

    private void proof() {
        section("Proof");
        report.proof()
                .ifPresentOrElse(
                        this::proof,
                        () -> page.element("p", "Nothing was verified since the last change: deepsite verify does it.")
                                .line());
        page.closeLine();
    }

    private void proof(SiteReport.Proof proof) {
        page.open("p");
        badge(proof.verify().outcome());
        page.text(" Verified at " + Elapsed.utc(proof.verify().at()) + ".").closeLine();
        if (proof.results().isEmpty()) {
            page.element("p", "The results of the single checks were not kept.").line();
            return;
        }
        var table = new PageTable(page, "Checks", "Cluster", "Check", "Result", "On", "Took at most", "Evidence");
        EvidenceRows.checks(proof.results()).forEach(table::row);
        table.end();
    }

    private void drift() {
        section("Drift");
        report.drift()
                .ifPresentOrElse(
                        this::drift,
                        () -> page.element(
                                        "p",
                                        "Nobody looked for drift. deepsite drift looks, and so does deepsite report"
                                                + " --drift.")
                                .line());
        page.closeLine();
    }

    private void drift(Evidence.Drift drift) {
        boolean older = report.run()
                .flatMap(SiteReport.Run::ended)
                .filter(ended -> ended.isAfter(drift.at()))
                .isPresent();
        page.open("p");
        badge(
                drift.found().isEmpty() && drift.silent().isEmpty() ? "done" : "cut",
                drift.found().isEmpty() && drift.silent().isEmpty() ? "✓" : "!",
                drift.found().isEmpty() ? "none found" : count(drift.found().size(), "difference"));
        page.text(" Looked at " + Elapsed.utc(drift.at()) + "."
                        + (older ? " That was before the last run, which corrects what it finds." : ""))
                .closeLine();
        drift.silent().forEach(why -> page.element("p", "No answer: " + why).line());
        if (!drift.found().isEmpty()) {
            var table = new PageTable(page, "Differences", "On", "Item", "Difference");
            EvidenceRows.drift(drift.found()).forEach(table::row);
            table.end();
        }
    }

    private void lease() {
        section("Lease");
        report.lease()
                .ifPresentOrElse(
                        lease -> {
                            var left = Duration.between(report.made(), lease.ends());
                            var table = new PageTable(page, "Lease", "", "");
                            lease.begin().ifPresent(begin -> table.row("began", Elapsed.utc(begin)));
                            table.row(
                                    "ends",
                                    Elapsed.utc(lease.ends())
                                            + (left.isNegative()
                                                    ? ", which was before this report"
                                                    : ", " + Elapsed.words(left) + " after this report"));
                            Optional.ofNullable(lease.latest())
                                    .ifPresent(latest -> table.row("may be extended until", Elapsed.utc(latest)));
                            table.end();
                        },
                        () -> page.element("p", "No lease: the site stays until somebody destroys it.")
                                .line());
        page.closeLine();
    }

    private void section(String title) {
        page.open("section", "id", id(title), "aria-labelledby", id(title) + "-heading")
                .line();
        page.element("h2", title, "id", id(title) + "-heading").line();
    }

    private void figure(Markup svg) {
        page.open(
                "div", "class", "scroll", "tabindex", "0", "role", "region", "aria-label", "Picture, scrolls sideways");
        page.add(svg).closeLine();
    }

    private void badge(Outcome outcome) {
        switch (outcome) {
            case PASSED -> badge("done", "✓", "passed");
            case FAILED -> badge("failed", "✗", "failed");
        }
    }

    private void badge(String css, String sign, String word) {
        page.open("span", "class", "badge " + css)
                .element("span", sign, "aria-hidden", "true")
                .text(" " + word)
                .close();
    }

    /** With their number. */
    static String names(List<String> all) {
        return brief(all) + (all.size() > 1 ? " (" + all.size() + ")" : "");
    }

    /** Names of many volumes do not become a range: the first ones stand for them. */
    static String brief(List<String> all) {
        var brief = HostNames.brief(all);
        return brief.length() > LONGEST ? brief.substring(0, LONGEST) + "…" : brief;
    }

    private static String id(String title) {
        return title.toLowerCase(Locale.ROOT).replace(' ', '-');
    }

    private static String count(int number, String one) {
        return number + " " + one + (number == 1 ? "" : "s");
    }
}
