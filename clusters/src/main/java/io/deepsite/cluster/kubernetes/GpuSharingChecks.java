package io.deepsite.cluster.kubernetes;

import io.deepsite.diag.Code;
import io.deepsite.site.GpuCard;
import io.deepsite.site.Site;
import io.deepsite.site.load.DriverChecks;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.MpsChecks;
import io.deepsite.site.load.Places;
import java.util.List;

/** Whether the cards of a cluster can be shared in the way that it asks, from the table of cards. */
final class GpuSharingChecks {
    private final Site site;
    private final Kubernetes cluster;
    private final Places places;
    private final Findings findings;

    GpuSharingChecks(Site site, Kubernetes cluster, Places places, Findings findings) {
        this.site = site;
        this.cluster = cluster;
        this.places = places;
        this.findings = findings;
    }

    /** @param place of the cluster's key gpu */
    void run(String place) {
        for (var group : cluster.groups()) {
            var cards = DriverChecks.cards(site, group);
            if (!cards.isEmpty() && !findings.isUnsound("machines." + group)) {
                cluster.gpu().mps().ifPresent(_ -> mps(cards, place + ".mps"));
                if (!cluster.gpu().mig().equals("none")) {
                    mig(cards, place + ".mig");
                }
            }
        }
    }

    private void mps(List<GpuCard> cards, String place) {
        if (!findings.isUnsound(place)) {
            MpsChecks.run(cards, places.ofKey(place), findings, "Write timeSlicing, which works on every card.");
        }
    }

    private void mig(List<GpuCard> cards, String place) {
        if (!findings.isUnsound(place)
                && cards.stream()
                        .allMatch(card -> card.mig().filter(List::isEmpty).isPresent())) {
            findings.fault(
                    Code.NO_MIG,
                    places.of(place),
                    MpsChecks.words(cards)
                            + " cannot be split: MIG came with Ampere, on cards for data centres above all.",
                    "Write mig: none, or use other cards.");
        }
    }
}
