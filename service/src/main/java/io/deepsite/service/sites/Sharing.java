package io.deepsite.service.sites;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.access.Person;
import io.deepsite.service.catalogue.OrderedYaml;
import io.deepsite.service.records.Tables;
import io.deepsite.service.sites.RunRow.Verb;
import io.deepsite.site.load.SiteLoader;
import java.time.InstantSource;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;

/**
 * Colleagues who see a site and log in to its machines. An account comes and goes by an apply; whoever loses a share sees
 * nothing of the site from then on, and gets no certificate.
 */
public final class Sharing {
    private static final int MOST = 50;

    private final SiteTransactions transactions;
    private final Tables tables;
    private final SiteLoader loader;
    private final InstantSource clock;

    Sharing(SiteTransactions transactions, Tables tables, SiteLoader loader, InstantSource clock) {
        this.transactions = transactions;
        this.tables = tables;
        this.loader = loader;
        this.clock = clock;
    }

    /** Those that go on, the first one first. */
    public List<ShareRow> of(String site) {
        return tables.in(handle -> open(ShareTable.of(handle, site)));
    }

    public Optional<ShareRow> with(String site, String person) {
        return tables.in(handle -> ShareTable.with(handle, site, person));
    }

    /**
     * Twice with the same person is once.
     *
     * @throws Failure NOT_NOW, REQUEST
     */
    public SiteService.View share(Caller caller, String id, Person person) {
        return change(id, "shared", (handle, site) -> {
            if (site.owner().equals(person.id())) {
                throw new Failure(
                        Diagnostic.error(Code.REQUEST, person.name() + " ordered this site.", "Name somebody else."));
            }
            var all = ShareTable.of(handle, id);
            var open = open(all);
            if (open.stream().anyMatch(share -> share.person().equals(person.id()))) {
                return;
            }
            if (open.size() >= MOST) {
                throw SiteTransactions.notNow(site, "It is shared with " + MOST + " people already.");
            }
            var account = site.account().map(_ -> account(site, all, person));
            var share = new ShareRow(
                    Ids.random(),
                    id,
                    person.id(),
                    person.name(),
                    account.map(Account::name),
                    account.map(Account::uid),
                    caller.id(),
                    clock.instant(),
                    Optional.empty());
            ShareTable.insert(handle, share);
            transactions.note(handle, caller, site, "shared with " + person.name());
            account.ifPresent(
                    one -> users(handle, caller, site, OrderedYaml.withAnother(site.yaml(), one.name(), one.uid())));
        });
    }

    /**
     * @param share its id
     * @throws Failure NOT_NOW, NOT_FOUND
     */
    public SiteService.View end(Caller caller, String id, String share) {
        return change(id, "shared", (handle, site) -> {
            var ended = open(ShareTable.of(handle, id)).stream()
                    .filter(one -> one.id().equals(share))
                    .findFirst()
                    .orElseThrow(() -> new Failure(
                            Diagnostic.error(Code.NOT_FOUND, "The site has no such share.", "Look at its shares.")));
            ShareTable.end(handle, share, clock.instant());
            transactions.note(handle, caller, site, "no longer shared with " + ended.personName());
            ended.account()
                    .ifPresent(account -> users(
                            handle,
                            caller,
                            site,
                            OrderedYaml.without(
                                    site.yaml(), account, ended.uid().orElseThrow())));
        });
    }

    private SiteService.View change(String id, String action, SiteTransactions.Step step) {
        var alive = EnumSet.complementOf(EnumSet.of(SiteStatus.DELETING, SiteStatus.DELETED));
        return transactions.change(id, Optional.empty(), alive, action, step);
    }

    /** Where nothing else is going on, its machines get them now; else what comes next brings them. */
    private void users(Handle handle, Caller caller, SiteRow site, String yaml) {
        loader.load("site.yaml", yaml, site.parameters()).orFail();
        SiteTable.users(handle, site.id(), yaml);
        if (site.status() == SiteStatus.READY) {
            SiteTable.status(handle, site.id(), SiteStatus.BUILDING);
            transactions.begin(handle, caller, site, Verb.APPLY);
        }
    }

    private record Account(String name, int uid) {}

    /** The same as before for somebody who had one; else a name and a number that nobody had. */
    private static Account account(SiteRow site, List<ShareRow> all, Person person) {
        var former = all.stream()
                .filter(share ->
                        share.person().equals(person.id()) && share.account().isPresent())
                .findFirst();
        if (former.isPresent()) {
            return new Account(
                    former.get().account().orElseThrow(), former.get().uid().orElseThrow());
        }
        var taken = all.stream().flatMap(share -> share.account().stream()).collect(Collectors.toSet());
        taken.add(site.account().orElseThrow());
        var name = OrderedYaml.account(person.name());
        for (int i = 2; taken.contains(name); i++) {
            name = OrderedYaml.account(person.name()) + "-" + i;
        }
        int last = all.stream()
                .flatMap(share -> share.uid().stream())
                .max(Integer::compare)
                .orElse(OrderedYaml.UID);
        return new Account(name, last + 1);
    }

    private static List<ShareRow> open(List<ShareRow> all) {
        return all.stream().filter(share -> share.endedAt().isEmpty()).toList();
    }
}
