package io.deepsite.tosca;

import io.deepsite.diag.PlainText;
import java.util.List;

/**
 * A site.yaml made of a template.
 *
 * @param text of site.yaml; empty if the template has no machine
 * @param left what is not in it as the template has it, in the template's order
 */
public record ImportedSite(String text, List<Left> left) {

    /** How much of a template a site has. */
    public enum Extent {
        FULLY,
        PARTLY,
        NOT
    }

    /**
     * @param what of the template: a node, with the property
     * @param line in the template; 0 if it is not in one place
     * @param why it is not there, and what is instead
     * @param lost whether the site lacks it; else deepsite does the same in its own way
     */
    public record Left(String what, int line, String why, boolean lost) {
        /** Texts of a template may hold anything. */
        public Left {
            what = PlainText.of(what).replaceAll("\\s+", " ");
            why = PlainText.of(why).replaceAll("\\s+", " ");
        }
    }

    public ImportedSite {
        left = List.copyOf(left);
    }

    public Extent extent() {
        return text.isEmpty() ? Extent.NOT : left.stream().anyMatch(Left::lost) ? Extent.PARTLY : Extent.FULLY;
    }
}
