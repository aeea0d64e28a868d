package io.deepsite.service.mail;

import io.deepsite.diag.PlainText;
import io.deepsite.service.sites.RunRow;
import io.deepsite.service.sites.RunRow.Verb;
import io.deepsite.service.sites.ShareRow;
import io.deepsite.service.sites.SiteRow;
import io.deepsite.service.sites.SiteService;
import io.deepsite.service.sites.SiteStatus;
import io.deepsite.text.Elapsed;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes mails, from what is true when they are sent. */
final class MailTexts {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int LONGEST_TITLE = 80;

    private final URI seen;

    /** @param seen by which browsers see the service */
    MailTexts(URI seen) {
        this.seen = seen;
    }

    /**
     * @param share of the one to tell, if it is not the owner
     * @return empty: it is no news any more
     */
    Optional<MailText> of(News news, SiteService.View view, Optional<ShareRow> share, Instant now) {
        var site = view.site();
        if (share.isEmpty() && !site.owner().equals(news.person())) {
            return Optional.empty();
        }
        var to = new Recipient(share, share.map(ShareRow::account).orElse(site.account()));
        return switch (news.kind()) {
            case READY -> when(site.status() == SiteStatus.READY, to, site, "is ready", ready(view, to));
            case FAILED -> when(site.status() == SiteStatus.FAILED, to, site, "has failed", failed(news, view));
            case LEASE_OVER ->
                when(
                        site.status() == SiteStatus.DELETED,
                        to,
                        site,
                        "was deleted",
                        "Its lease was over, so it was deleted. The back-end has nothing of it any more.\n");
            case LEASE_ENDS ->
                site.endsAt()
                        .filter(end -> news.cause().endsWith(News.warning(site.id(), end, news.before()))
                                && end.isAfter(now)
                                && (site.status() == SiteStatus.READY || site.status() == SiteStatus.FAILED))
                        .map(end -> text(
                                to,
                                site,
                                "ends in " + Elapsed.words(Duration.between(now, end)),
                                "Its lease ends at " + Elapsed.utc(end)
                                        + ". Then it is deleted, with everything on it.\n\nSave what you need, or extend"
                                        + " the lease on its page.\n"));
        };
    }

    /** @param account on the machines; empty: the site gives none */
    private record Recipient(Optional<ShareRow> share, Optional<String> account) {
        String reason() {
            return share.isPresent() ? "somebody shares it with you" : "you ordered it";
        }
    }

    private Optional<MailText> when(boolean isSo, Recipient to, SiteRow site, String what, String body) {
        return isSo ? Optional.of(text(to, site, what, body)) : Optional.empty();
    }

    private MailText text(Recipient to, SiteRow site, String what, String body) {
        // Titles are what their users typed.
        var title = PlainText.of(site.title().replaceAll("\\s+", " ").strip(), LONGEST_TITLE)
                .replaceAll("\\p{Cntrl}", "?");
        return new MailText(
                "[deepsite] " + title + " " + what,
                "\"" + title + "\" in the project " + site.project() + " " + what + ".\n\n" + body + "\nIts page: "
                        + seen.resolve("/sites/" + site.id())
                        + "\n\n-- \nYou get this because " + to.reason() + ". To get no more of these: "
                        + seen.resolve("/#mail") + "\n");
    }

    private static String ready(SiteService.View view, Recipient to) {
        var body = new StringBuilder("It has proved that it works.\n");
        var hosts = view.runs().stream()
                .filter(run -> run.verb() != Verb.PLAN && run.status() == RunRow.Status.DONE)
                .findFirst()
                .flatMap(RunRow::result)
                .map(JSON::readTree)
                .orElseGet(JSON::createObjectNode)
                .path("hosts")
                .properties();
        if (!hosts.isEmpty()) {
            body.append("\nIts machines:\n");
            hosts.forEach(host -> body.append("  ")
                    .append(host.getKey())
                    .append("  ")
                    .append(host.getValue().asString())
                    .append('\n'));
            to.account()
                    .ifPresent(account -> body.append(
                                    "\nTo log in, get a certificate for your SSH key on its page, then:\n  ssh ")
                            .append(account)
                            .append('@')
                            .append(hosts.iterator().next().getValue().asString())
                            .append('\n'));
        }
        view.site()
                .endsAt()
                .ifPresent(end ->
                        body.append("\nIt ends at ").append(Elapsed.utc(end)).append(".\n"));
        return body.toString();
    }

    private static String failed(News news, SiteService.View view) {
        var body = new StringBuilder();
        view.runs().stream()
                .filter(run -> run.id().equals(news.cause()))
                .findFirst()
                .flatMap(RunRow::faults)
                .map(JSON::readTree)
                .ifPresent(all -> all.forEach(fault -> body.append(line(fault))));
        return body + "What is there stays. Try again on its page, or delete it.\n";
    }

    private static String line(JsonNode fault) {
        var fix = fault.path("fix").asString("");
        return PlainText.of(fault.path("code").asString("") + ": "
                + fault.path("summary").asString("") + "\n" + fault.path("why").asString("") + "\n"
                + (fix.isEmpty() ? "" : fix + "\n") + "\n");
    }
}
