package io.deepsite.service.mail;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.GreenMailUtil;
import com.icegreen.greenmail.util.ServerSetup;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.access.Person;
import io.deepsite.service.sites.Caller;
import io.deepsite.service.sites.LeaseWarnings;
import io.deepsite.service.sites.ServiceLab;
import io.deepsite.service.sites.SiteService;
import io.deepsite.service.sites.SiteStatus;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What comes out of an SMTP server in the same process; security of connections is tested in the lane service. */
class MailerTest {
    private static final String ADDRESS = "alice@example.org";
    private static final LeaseWarnings WARNINGS = new LeaseWarnings(List.of(Duration.ofHours(24), Duration.ofHours(1)));
    private static final URI SEEN = URI.create("https://clusters.example.org");

    @TempDir
    Path folder;

    private final GreenMail server = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    private ServiceLab lab;
    private Mailboxes mailboxes;
    private MailSettings settings;
    private Mailer mailer;

    @BeforeEach
    void open() {
        server.start();
        lab = lab();
        mailboxes = new Mailboxes(lab.tables, lab.clock());
        mailboxes.keep(alice(Optional.of(ADDRESS)));
        settings = settings("none");
        mailer = mailer(settings);
    }

    ServiceLab lab() {
        return new ServiceLab(folder, ServiceLab.FOUR_MACHINES);
    }

    @AfterEach
    void close() {
        mailer.close();
        lab.close();
        server.stop();
    }

    private static Person alice(Optional<String> address) {
        return new Person("https://idp.example.org", "alice", "Alice", address, List.of());
    }

    private MailSettings settings(String security) {
        return new MailSettings(
                "127.0.0.1:" + server.getSmtp().getPort(),
                security,
                "deepsite@example.org",
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private Mailer mailer(MailSettings settings) {
        return new Mailer(lab.tables, lab.sites, settings, Map.of(), WARNINGS, SEEN, lab.clock());
    }

    /** Of Alice, planned and confirmed. */
    private String confirmed(String title, String time) {
        return confirmed(title, time, ServiceLab.YAML);
    }

    private String confirmed(String title, String time, String yaml) {
        var alice = new Caller(alice(Optional.empty()).id(), "Alice", "192.0.2.1");
        var id = lab.sites
                .order(
                        alice,
                        new SiteService.Order(
                                ServiceLab.BIOLOGY,
                                title,
                                Optional.of("hpc"),
                                yaml,
                                false,
                                new TreeMap<>(Map.of("time", time)),
                                Optional.empty()),
                        Optional.empty())
                .site()
                .id();
        lab.await(id, SiteStatus.PLANNED);
        lab.sites.confirm(alice, id, true, Optional.empty());
        return id;
    }

    private String ready(String time) {
        var id = confirmed("My cluster", time);
        lab.await(id, SiteStatus.READY);
        return id;
    }

    private List<String> subjects() throws Exception {
        var subjects = new ArrayList<String>();
        for (var message : server.getReceivedMessages()) {
            subjects.add(message.getSubject());
        }
        return subjects;
    }

    private List<String> recipients() throws Exception {
        var recipients = new ArrayList<String>();
        for (var message : server.getReceivedMessages()) {
            recipients.add(message.getAllRecipients()[0].toString());
        }
        return recipients;
    }

    private String body(int index) throws Exception {
        return String.valueOf(server.getReceivedMessages()[index].getContent()).replace("\r\n", "\n");
    }

    @Test
    void readyWithTheWayToItAndItsEnd() throws Exception {
        var id = ready("2h");

        mailer.look();

        assertThat(subjects()).containsExactly("[deepsite] My cluster is ready");
        var mail = server.getReceivedMessages()[0];
        assertThat(mail.getAllRecipients()).extracting(Object::toString).containsExactly(ADDRESS);
        assertThat(mail.getFrom()).extracting(Object::toString).containsExactly("deepsite@example.org");
        assertThat(mail.getHeader("Auto-Submitted")).containsExactly("auto-generated");
        assertThat(body(0))
                .contains(
                        "\"My cluster\" in the project biology is ready.",
                        "Its machines:\n  node-1  ",
                        "It ends at 20",
                        "Its page: https://clusters.example.org/sites/" + id,
                        "https://clusters.example.org/#mail");
    }

    @Test
    void replicasSendItOnce() throws Exception {
        ready("2h");
        var together = new CyclicBarrier(4);
        try (var replicas = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) {
                replicas.submit(() -> {
                    try (var replica = mailer(settings)) {
                        together.await();
                        replica.look();
                    }
                    return null;
                });
            }
        }
        mailer.look();

        assertThat(subjects()).containsExactly("[deepsite] My cluster is ready");
    }

    @Test
    void failedWithCodeCauseAndFix() throws Exception {
        var refusal = new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, "No room on this host.", "Ask for less."));
        lab.cloud.fail(Optional.of(Map.entry("create instance/node-1", refusal)));
        lab.await(confirmed("My cluster", "2h"), SiteStatus.FAILED);

        mailer.look();

        assertThat(subjects()).containsExactly("[deepsite] My cluster has failed");
        assertThat(body(0)).contains(Code.PROVIDER_REFUSED.id() + ": ", "No room on this host.\nAsk for less.\n");
    }

    @Test
    void warnsOnceBeforeTheLeaseEndsAndSaysThatItWasDeleted() throws Exception {
        var id = ready("3h");
        mailer.look();
        lab.later(Duration.ofMinutes(115));
        mailer.look();
        assertThat(subjects()).hasSize(1);

        lab.later(Duration.ofMinutes(10));
        mailer.look();
        mailer.look();
        assertThat(subjects())
                .containsExactly("[deepsite] My cluster is ready", "[deepsite] My cluster ends in 55 min");
        assertThat(body(1)).contains("Save what you need, or extend the lease on its page.");

        lab.later(Duration.ofHours(1));
        lab.await(id, SiteStatus.DELETED);
        mailer.look();
        assertThat(subjects()).hasSize(3).endsWith("[deepsite] My cluster was deleted");
        assertThat(body(2)).contains("Its lease was over");
    }

    @Test
    void aColleagueHearsWhatIsNewsWhileTheSiteIsShared() throws Exception {
        var id = ready("3h");
        mailer.look();
        lab.later(Duration.ofMinutes(1));
        for (var name : List.of("bob", "carol")) {
            var address = Optional.of(name + "@example.org");
            var colleague = new Person("https://idp.example.org", name, name, address, List.of());
            mailboxes.keep(colleague);
            lab.sites.sharing().share(ServiceLab.ALICE, id, colleague);
        }
        mailer.look();
        assertThat(recipients()).containsExactly(ADDRESS);

        lab.later(Duration.ofMinutes(124));
        mailer.look();
        mailer.look();
        assertThat(recipients()).containsExactlyInAnyOrder(ADDRESS, ADDRESS, "bob@example.org", "carol@example.org");

        var ofBob = lab.sites.sharing().with(id, "https://idp.example.org#bob").orElseThrow();
        lab.sites.sharing().end(ServiceLab.ALICE, id, ofBob.id());
        lab.later(Duration.ofHours(1));
        lab.await(id, SiteStatus.DELETED);
        mailer.look();
        assertThat(recipients())
                .containsExactlyInAnyOrder(
                        ADDRESS, ADDRESS, ADDRESS, "bob@example.org", "carol@example.org", "carol@example.org");
    }

    @Test
    void anExtendedLeaseIsWarnedOfAnew() throws Exception {
        var id = ready("2h");
        lab.later(Duration.ofMinutes(61));
        mailer.look();
        var site = lab.sites.site(id).site();
        lab.sites.extended(ServiceLab.ALICE, id, lab.work.extend(site, Duration.ofHours(1)));
        mailer.look();
        assertThat(subjects()).hasSize(2);

        lab.later(Duration.ofHours(1));
        mailer.look();

        assertThat(subjects()).hasSize(3).endsWith("[deepsite] My cluster ends in 59 min");
    }

    @Test
    void whatWasDeletedByItsOwnerIsNoNews() throws Exception {
        var id = ready("2h");
        mailer.look();
        lab.sites.delete(ServiceLab.ALICE, id);
        lab.await(id, SiteStatus.DELETED);

        mailer.look();

        assertThat(subjects()).hasSize(1);
    }

    @Test
    void aServerThatIsAwayIsTriedAgainAndHoldsNothingUp() throws Exception {
        int port = server.getSmtp().getPort();
        server.stop();
        ready("4h");
        mailer.look();
        assertThat(status()).isEqualTo("waiting");
        mailer.look();
        assertThat(attempts()).as("not before its time").isEqualTo(1);

        var back = new GreenMail(new ServerSetup(port, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        try {
            back.start();
            lab.later(Duration.ofMinutes(2));
            mailer.look();

            assertThat(back.getReceivedMessages()).hasSize(1);
            assertThat(status()).isEqualTo("sent");
        } finally {
            back.stop();
        }
    }

    @Test
    void aServerThatStaysAwayIsGivenUp() throws Exception {
        server.stop();
        var endless = ServiceLab.YAML.replaceFirst("lease: .*\n", "");
        lab.await(confirmed("My cluster", "2h", endless), SiteStatus.READY);
        for (int i = 0; i < 40; i++) {
            mailer.look();
            lab.later(Duration.ofMinutes(20));
        }

        assertThat(attempts()).as("with growing pauses").isBetween(5, 20);
        assertThat(status()).isEqualTo("waiting");
        lab.later(Duration.ofDays(1));
        mailer.look();
        assertThat(status()).isEqualTo("given_up");
    }

    @Test
    void whoWantsNoneAndWhoHasNoAddressGetNone() throws Exception {
        mailboxes.want(alice(Optional.of(ADDRESS)), false);
        ready("2h");
        mailer.look();
        mailboxes.want(alice(Optional.empty()), true);
        mailer.look();

        assertThat(subjects()).isEmpty();
    }

    @Test
    void whatHappenedBeforeSomebodyHadAnAddressIsNoNews() throws Exception {
        lab.tables.in(handle -> handle.execute("DELETE FROM service.mailbox"));
        ready("2h");
        lab.later(Duration.ofSeconds(1));
        mailboxes.keep(alice(Optional.of(ADDRESS)));

        mailer.look();

        assertThat(subjects()).isEmpty();
    }

    @Test
    void aTitleAddsNoHeaderAndNoRecipient() throws Exception {
        lab.await(confirmed("x\r\nBcc: mallory@example.org\r\n\r\nÜber\u0000", "2h"), SiteStatus.READY);

        mailer.look();

        assertThat(subjects()).containsExactly("[deepsite] x Bcc: mallory@example.org Über? is ready");
        var mail = server.getReceivedMessages()[0];
        assertThat(mail.getHeader("Bcc")).isNull();
        assertThat(mail.getAllRecipients()).hasSize(1);
        assertThat(GreenMailUtil.getHeaders(mail).lines())
                .noneMatch(line -> line.toLowerCase(Locale.ROOT).startsWith("bcc"));
    }

    @Test
    void anAddressThatIsNoneIsRefusedForGood() throws Exception {
        for (var address :
                List.of("a@example.org, b@example.org", "a@example.org\r\nRCPT TO:<b@example.org>", "nobody")) {
            mailboxes.keep(alice(Optional.of(address)));
            ready("2h");
            mailer.look();
            assertThat(status()).as(address).isEqualTo("refused");
        }
        assertThat(subjects()).isEmpty();
    }

    @Test
    void nothingIsSentWithoutTheTlsThatIsAskedFor() throws Exception {
        ready("2h");
        try (var strict = mailer(settings("starttls"))) {
            strict.look();
        }

        assertThat(subjects()).isEmpty();
        assertThat(status()).isEqualTo("waiting");
    }

    private String status() {
        return lab.tables.in(handle -> handle.createQuery("SELECT status FROM service.mail ORDER BY id DESC LIMIT 1")
                .mapTo(String.class)
                .one());
    }

    private int attempts() {
        return lab.tables.in(handle -> handle.createQuery("SELECT max(attempts) FROM service.mail")
                .mapTo(Integer.class)
                .one());
    }
}
