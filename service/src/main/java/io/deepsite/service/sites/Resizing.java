package io.deepsite.service.sites;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.catalogue.Amounts;
import io.deepsite.service.sites.RunRow.Verb;
import io.deepsite.site.load.SiteLoader;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/**
 * Other values of the parameters of a site that is built. Its plan waits for a yes like the first one; until then, and
 * while it is carried out, the site stays usable.
 */
public final class Resizing {
    private final SiteTransactions transactions;
    private final SiteLoader loader;

    Resizing(SiteTransactions transactions, SiteLoader loader) {
        this.transactions = transactions;
        this.loader = loader;
    }

    /** All parameters, with those that are to change. */
    public static SortedMap<String, String> parameters(SiteRow site, Map<String, String> changes) {
        var all = new TreeMap<>(site.parameters());
        all.putAll(changes);
        return all;
    }

    /**
     * Begins its plan.
     *
     * @param changes values by name; parameters that are left out stay as they are
     * @param version that the caller saw; empty: any
     * @throws Failure NOT_NOW, CHANGED_MEANWHILE, REQUEST, or with the faults of the values
     */
    public SiteService.View resize(Caller caller, String id, Map<String, String> changes, Optional<Long> version) {
        var from = EnumSet.of(SiteStatus.READY, SiteStatus.FAILED);
        return transactions.change(id, version, from, "resized", (handle, site) -> {
            if (!site.built()) {
                throw SiteTransactions.notNow(site, "Only a site that has been ready is resized.");
            }
            var all = parameters(site, changes);
            var read = loader.load("site.yaml", site.yaml(), all).orFail();
            if (site.status() == SiteStatus.READY && all.equals(site.parameters())) {
                throw new Failure(Diagnostic.error(
                        Code.REQUEST, "The site has these values already.", "Give at least one other value."));
            }
            SiteTable.resize(
                    handle, id, new Resize(all, Amounts.of(read).plus(comingAndGoing(handle, site)), site.status()));
            SiteTable.status(handle, id, SiteStatus.PLANNING);
            transactions.note(handle, caller, site, "resize " + new TreeMap<>(changes));
            transactions.begin(handle, caller, site, Verb.PLAN);
        });
    }

    /** Elastic machines that are there stay, so they go on counting. */
    private Amounts comingAndGoing(Handle handle, SiteRow site) {
        if (!ElasticTable.isElastic(handle, site.id())) {
            return Amounts.NONE;
        }
        var lasting = loader.load("site.yaml", site.yaml(), site.parameters()).orFail();
        return site.amounts().beyond(Amounts.of(lasting));
    }
}
