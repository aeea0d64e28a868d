package io.deepsite.cli.view;

import io.deepsite.client.OrderedSite;
import io.deepsite.client.ServiceAddress;
import io.deepsite.plan.Change;
import io.deepsite.site.Size;
import io.deepsite.text.Elapsed;
import io.deepsite.text.HostNames;
import io.deepsite.verify.CheckResult;
import io.deepsite.verify.VerifyReport;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Sites and templates of a service. Each text ends with a line break. */
public final class ServiceView {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<List<CheckResult>> CHECKS = new TypeReference<>() {};
    /** Steps of a plan fit on a screen up to this number. */
    private static final int MANY = 40;

    private final Style style;
    private final Instant now;

    public ServiceView(Style style, Instant now) {
        this.style = style;
        this.now = now;
    }

    /** How it stands. */
    public String site(OrderedSite site) {
        var lines = head(site);
        var rows = new Columns();
        rows.row("State", state(site));
        rows.row("Ordered by", site.owner());
        site.template().ifPresent(template -> rows.row("Template", template));
        site.parameters().forEach((name, value) -> rows.row(name, value));
        site.endsAt().filter(_ -> !site.status().equals("deleted")).ifPresent(end -> rows.row("Ends", ends(end)));
        lines.append(rows.text(2));
        hosts(lines, site);
        if (!site.runs().isEmpty()) {
            var runs = new Columns();
            site.runs()
                    .forEach(run -> runs.row(
                            run.verb(),
                            run.status(),
                            Elapsed.utc(run.askedAt()),
                            run.endedAt()
                                    .map(end -> "took " + Elapsed.words(Duration.between(run.askedAt(), end)))
                                    .orElse("")));
            lines.gap().add(0, style.bold("Runs")).append(runs.text(2));
        }
        return lines.toString();
    }

    /**
     * What would be built.
     *
     * @param cost its share of the quota
     */
    public String planned(OrderedSite site, Optional<JsonNode> cost) {
        var lines = head(site);
        var steps = site.last("plan")
                .map(run -> run.result().valueStream().toList())
                .orElse(List.of());
        if (!site.resize().isEmpty()) {
            var changes = new Columns();
            site.resize()
                    .forEach((name, value) ->
                            changes.row(name, site.parameters().getOrDefault(name, "default") + " -> " + value));
            lines.gap().add(0, style.bold("Changes")).append(changes.text(2));
        }
        lines.gap().add(0, style.bold("Plan") + "  " + steps.size() + (steps.size() == 1 ? " step" : " steps"));
        steps.stream().limit(MANY).forEach(step -> lines.add(2, step(step)));
        if (steps.size() > MANY) {
            lines.add(2, "… and " + (steps.size() - MANY) + " more; --json has them all");
        }
        cost.ifPresent(asked -> {
            lines.gap().add(0, style.bold("Quota of " + site.project()));
            lines.append(shares(asked.path("shares")));
        });
        return lines.toString();
    }

    private String step(JsonNode step) {
        var change = step.path("change").asString("");
        var sign = Arrays.stream(Change.values())
                .filter(one -> one.name().toLowerCase(Locale.ROOT).equals(change))
                .findFirst()
                .map(style::sign)
                .orElse(change);
        return sign + " " + step.path("step").asString("")
                + style.dim("  " + step.path("reason").asString(""));
    }

    private String shares(JsonNode shares) {
        var rows = new Columns();
        rows.row("", "used", "this", "limit");
        shares.forEach(share -> {
            var name = share.path("name").asString("");
            rows.row(
                    name,
                    amount(name, share.path("used").asLong(0)),
                    amount(name, share.path("asked").asLong(0)),
                    share.has("limit") ? amount(name, share.path("limit").asLong(0)) : "none",
                    share.path("fits").asBoolean(true) ? "" : style.red("does not fit now"));
        });
        return rows.text(2);
    }

    private static String amount(String name, long value) {
        return name.equals("memory") && value > 0 ? new Size(value).toString() : Long.toString(value);
    }

    /** What was built, with its proof. */
    public String ready(OrderedSite site) {
        var lines = head(site);
        site.last("apply").ifPresent(run -> {
            var checks = checks(run.result().path("checks"));
            if (!checks.isEmpty()) {
                lines.gap().add(0, style.bold("Verify")).append(ResultView.verify(style, new VerifyReport(checks)));
            }
        });
        site.endsAt().ifPresent(end -> lines.gap().add(0, "The site ends " + ends(end) + "."));
        hosts(lines, site);
        return lines.toString();
    }

    public String failed(OrderedSite site) {
        var run = site.runs().getFirst();
        return (run.status().equals("cancelled")
                        ? style.yellow("Cancelled") + ". What is there stays. To go on:"
                        : style.red("Failed") + ". What is there stays. Once the cause is fixed, go on:")
                + "\n";
    }

    private static List<CheckResult> checks(JsonNode checks) {
        try {
            return checks.isArray() ? JSON.convertValue(checks, CHECKS) : List.of();
        } catch (JacksonException _) {
            // Of another version; the site has proved itself all the same.
            return List.of();
        }
    }

    private static void hosts(Lines lines, OrderedSite site) {
        var hosts = new Columns();
        site.last("apply")
                .ifPresent(run -> run.result().path("hosts").properties().stream()
                        .sorted(Map.Entry.comparingByKey(HostNames::compare))
                        .forEach(
                                host -> hosts.row(host.getKey(), host.getValue().asString(""))));
        if (!hosts.isEmpty() && !site.status().startsWith("delet")) {
            lines.gap().add(0, "Hosts").append(hosts.text(2));
        }
    }

    public String sites(List<OrderedSite> sites) {
        if (sites.isEmpty()) {
            return "No sites.\n";
        }
        var rows = new Columns();
        rows.row("NAME", "TITLE", "PROJECT", "STATE", "ENDS", "BY");
        sites.forEach(site -> rows.row(
                site.name(),
                site.title(),
                site.project(),
                site.status(),
                site.endsAt().map(this::ends).orElse("-"),
                site.owner()));
        return rows.text(0);
    }

    /** @param templates as the service sends them */
    public String catalogue(String project, List<JsonNode> templates) {
        var lines = new Lines();
        if (templates.isEmpty()) {
            lines.add(0, "There is nothing to order in the project " + project + ".");
        }
        templates.forEach(template -> {
            lines.gap()
                    .add(
                            0,
                            style.bold(template.path("id").asString("")) + "  "
                                    + template.path("title").asString(""));
            lines.add(2, template.path("description").asString(""));
            var rows = new Columns();
            template.path("parameters").properties().forEach(one -> {
                var parameter = one.getValue();
                rows.row(
                        one.getKey() + "=" + parameter.path("defaultValue").asString(""),
                        limits(parameter),
                        parameter.path("description").asString(""));
            });
            lines.append(rows.text(4));
        });
        return lines.toString();
    }

    /** As whom somebody is logged in. */
    public String person(JsonNode me, ServiceAddress service) {
        var lines = new StringBuilder();
        lines.append(me.path("name").asString(""))
                .append(" at ")
                .append(service)
                .append('\n');
        lines.append("  by ").append(me.path("issuer").asString(""));
        lines.append(", as ").append(me.path("subject").asString("")).append('\n');
        me.path("groups")
                .forEach(group ->
                        lines.append("  in ").append(group.asString("")).append('\n'));
        return lines.toString();
    }

    private static String limits(JsonNode parameter) {
        var choices = parameter
                .path("choices")
                .valueStream()
                .map(one -> one.asString(""))
                .toList();
        if (!choices.isEmpty()) {
            return String.join(" | ", choices);
        }
        var min = parameter.path("min").asString("");
        var max = parameter.path("max").asString("");
        return parameter.path("type").asString("")
                + (min.isEmpty() ? "" : " from " + min)
                + (max.isEmpty() ? "" : " to " + max);
    }

    /** One event of a site; empty for what says nothing to people. */
    public static Optional<String> event(JsonNode event) {
        return Optional.of(
                        switch (text(event, "event")) {
                            case "asked" -> text(event, "by") + ": " + text(event, "what");
                            case "phase" -> text(event, "name");
                            case "started" -> "  " + text(event, "subject") + ": " + text(event, "what");
                            case "ended" ->
                                "  " + text(event, "subject") + ": "
                                        + text(event, "outcome").toLowerCase(Locale.ROOT)
                                        + (text(event, "message").isEmpty() ? "" : ": " + text(event, "message"));
                            case "check" ->
                                "  " + text(event, "outcome") + "  " + text(event, "cluster") + " " + text(event, "id")
                                        + (text(event, "node").isEmpty() ? "" : " on " + text(event, "node"));
                            case "elastic" -> text(event, "text");
                            case "notice" -> text(event, "text") + text(event, "why");
                            case "run" -> text(event, "verb") + ": " + text(event, "status");
                            default -> "";
                        })
                .filter(line -> !line.isBlank());
    }

    private static String text(JsonNode event, String key) {
        return event.path(key).asString("");
    }

    private Lines head(OrderedSite site) {
        return new Lines()
                .add(
                        0,
                        style.bold(site.title()) + "  " + site.name() + ", project " + site.project() + ", id "
                                + site.id());
    }

    private String state(OrderedSite site) {
        return site.status()
                + site.place()
                        .map(place -> ", place " + place + " in the queue")
                        .orElse("")
                + site.secondsLeft()
                        .map(seconds -> ", about " + Elapsed.words(Duration.ofSeconds(seconds)) + " left")
                        .orElse("");
    }

    private String ends(Instant end) {
        return Elapsed.utc(end) + ", " + LeaseWords.left(end, now);
    }
}
