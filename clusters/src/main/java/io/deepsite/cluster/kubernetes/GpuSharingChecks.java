package io.deepsite.cluster.kubernetes;

import io.deepsite.diag.Code;
import io.deepsite.site.GpuArchitecture.Mps;
import io.deepsite.site.GpuCard;
import io.deepsite.site.Site;
import io.deepsite.site.load.DriverChecks;
import io.deepsite.site.load.Findings;
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
        if (findings.isUnsound(place)) {
            return;
        }
        if (cards.stream().allMatch(card -> card.architecture().mps() == Mps.NONE)) {
            findings.fault(
                    Code.MPS_SHARED,
                    places.ofKey(place),
                    words(cards) + " has no MPS: it needs compute capability 3.5.",
                    "Remove mps; timeSlicing works on every card.");
        } else if (cards.stream().noneMatch(card -> card.architecture().mps() == Mps.OWN)) {
            findings.warning(
                    Code.MPS_SHARED,
                    places.ofKey(place),
                    "On " + words(cards) + ", before Volta, all processes under MPS share one address space: a fault of"
                            + " one ends all of them, and TensorFlow does not work there.",
                    "Use timeSlicing, or cards from Volta on.");
        }
    }

    private void mig(List<GpuCard> cards, String place) {
        if (!findings.isUnsound(place)
                && cards.stream()
                        .allMatch(card -> card.mig().filter(List::isEmpty).isPresent())) {
            findings.fault(
                    Code.NO_MIG,
                    places.of(place),
                    words(cards) + " cannot be split: MIG came with Ampere, on cards for data centres above all.",
                    "Write mig: none, or use other cards.");
        }
    }

    private static String words(List<GpuCard> cards) {
        var card = cards.getFirst();
        return card.model() + " (" + card.architecture().words() + ")";
    }
}
