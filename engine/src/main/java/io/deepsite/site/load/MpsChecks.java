package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.diag.Where;
import io.deepsite.site.GpuArchitecture.Mps;
import io.deepsite.site.GpuCard;
import java.util.List;

/** Whether CUDA's multi-process service suits the cards of a group, from the table of cards. */
public final class MpsChecks {
    private MpsChecks() {}

    /**
     * @param cards of one group; of none that the table knows, nothing is said
     * @param instead what to do where there is no MPS, or no good one, in a sentence
     */
    public static void run(List<GpuCard> cards, Where where, Findings findings, String instead) {
        if (cards.isEmpty()) {
            return;
        }
        if (cards.stream().allMatch(card -> card.architecture().mps() == Mps.NONE)) {
            findings.fault(
                    Code.MPS_SHARED, where, words(cards) + " has no MPS: it needs compute capability 3.5.", instead);
        } else if (cards.stream().noneMatch(card -> card.architecture().mps() == Mps.OWN)) {
            findings.warning(
                    Code.MPS_SHARED,
                    where,
                    "On " + words(cards) + ", before Volta, all processes under MPS share one address space: a fault of"
                            + " one ends all of them, and TensorFlow does not work there.",
                    instead + " Or take cards from Volta on.");
        }
    }

    /** The first of some cards, for a message. */
    public static String words(List<GpuCard> cards) {
        var card = cards.getFirst();
        return card.model() + " (" + card.architecture().words() + ")";
    }
}
