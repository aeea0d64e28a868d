package io.deepsite.service.mail;

import io.deepsite.service.records.Tables;
import io.deepsite.service.sites.LeaseWarnings;
import io.deepsite.service.sites.SiteService;
import jakarta.mail.MessagingException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Finds what people should hear of their sites, and sends it, in a thread of its own: no run waits for a mail server. All
 * processes of the service look; a row for each piece of news, and a claim on it, let one of them send it. A process that
 * is killed between sending a mail and writing that down is the one case in which a mail comes twice, under the same id.
 */
public final class Mailer implements AutoCloseable {
    private static final Logger LOG = System.getLogger(Mailer.class.getName());
    private static final Duration LOOK = Duration.ofSeconds(5);
    private static final int AT_ONCE = 20;
    /** Longer than all that one mail waits for. */
    private static final Duration CLAIM = Duration.ofMinutes(5);

    private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);
    private static final Duration LONGEST_PAUSE = Duration.ofHours(1);
    private static final int DOUBLINGS = 6;
    private static final Duration PATIENCE = Duration.ofDays(1);
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final Tables tables;
    private final SiteService sites;
    private final LeaseWarnings warnings;
    private final InstantSource clock;
    private final Mailboxes mailboxes;
    private final MailServer server;
    private final MailTexts texts;
    private final String domain;
    private final ScheduledExecutorService looks = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("mail").factory());

    /**
     * @param environment of the process, for the password
     * @param seen by which browsers see the service
     * @throws io.deepsite.diag.Failure SECRET_NOT_READ, FILE_UNREADABLE
     */
    public Mailer(
            Tables tables,
            SiteService sites,
            MailSettings settings,
            Map<String, String> environment,
            LeaseWarnings warnings,
            URI seen,
            InstantSource clock) {
        this.tables = tables;
        this.sites = sites;
        this.warnings = warnings;
        this.clock = clock;
        this.mailboxes = new Mailboxes(tables, clock);
        this.server = new MailServer(settings, environment);
        this.texts = new MailTexts(seen);
        this.domain = settings.from().substring(settings.from().indexOf('@') + 1);
    }

    public void start() {
        var _ = looks.scheduleWithFixedDelay(this::look, 0, LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }

    void look() {
        try {
            note();
            send();
        } catch (RuntimeException e) {
            // The database may come back.
            LOG.log(Level.WARNING, "looking for mails failed", e);
        }
    }

    private void note() {
        var now = clock.instant();
        List<News> found = tables.in(handle -> Stream.concat(
                        MailTable.ofRuns(handle, now).stream(), MailTable.ofLeases(handle, warnings, now).stream())
                .toList());
        // Each in a transaction of its own: replicas that note the same in another order would wait for each other.
        found.forEach(news -> tables.in(handle -> {
            MailTable.note(handle, news, now);
            return news;
        }));
    }

    private void send() {
        for (var row : tables.in(handle -> MailTable.due(handle, clock.instant(), AT_ONCE))) {
            var until = clock.instant().plus(CLAIM);
            boolean ours = tables.in(handle -> MailTable.claim(handle, row, until));
            if (ours && !isSettled(row)) {
                // The server is away: the others wait for it, too.
                return;
            }
        }
    }

    private boolean isSettled(MailTable.Row row) {
        var now = clock.instant();
        var mailbox = mailboxes.of(row.news().person());
        var site = row.news().site();
        var share = sites.sharing().with(site, row.news().person());
        var text = texts.of(row.news(), sites.site(site), share, now);
        if (!mailbox.wanted() || mailbox.address().isEmpty() || text.isEmpty()) {
            end(row, MailTable.Status.DROPPED);
            return true;
        }
        try {
            server.send(
                    mailbox.address().get(),
                    text.get(),
                    "deepsite-" + row.news().cause().replace(' ', '-') + "@" + domain,
                    now);
            end(row, MailTable.Status.SENT);
            return true;
        } catch (MailServer.RefusedException e) {
            LOG.log(
                    Level.WARNING,
                    "The address of {0} gets no mail: {1}",
                    row.news().person(),
                    oneLine(e));
            end(row, MailTable.Status.REFUSED);
            return true;
        } catch (MessagingException e) {
            failed(row, now, e);
            return false;
        }
    }

    private void failed(MailTable.Row row, Instant now, MessagingException e) {
        if (now.isAfter(row.notedAt().plus(PATIENCE))) {
            LOG.log(
                    Level.WARNING,
                    "A mail about the site {0} is given up: {1}",
                    row.news().site(),
                    oneLine(e));
            end(row, MailTable.Status.GIVEN_UP);
            return;
        }
        var pause = FIRST_PAUSE.multipliedBy(1L << Math.min(row.attempts(), DOUBLINGS));
        var at = now.plus(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
        LOG.log(
                Level.WARNING,
                "A mail about the site {0} waits until {1}: {2}",
                row.news().site(),
                at,
                oneLine(e));
        tables.whenBack(handle -> {
            MailTable.later(handle, row, at);
            return at;
        });
    }

    /** What a server answers must not write lines of its own into the log. */
    private static String oneLine(Exception e) {
        return String.valueOf(e.getMessage()).replaceAll("[\\s\\p{Cntrl}]+", " ");
    }

    private void end(MailTable.Row row, MailTable.Status status) {
        tables.whenBack(handle -> {
            MailTable.end(handle, row, status);
            return status;
        });
    }

    /** A mail on its way may end; the rest is for other processes, or for the next start. */
    @Override
    public void close() {
        looks.shutdown();
        try {
            if (!looks.awaitTermination(GRACE.toSeconds(), TimeUnit.SECONDS)) {
                looks.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
