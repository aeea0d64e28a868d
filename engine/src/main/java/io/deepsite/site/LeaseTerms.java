package io.deepsite.site;

import java.util.Optional;

/** How long a site lives from its first apply, and how far it may be extended. */
public record LeaseTerms(
        @Key(value = "Life of the site from its first apply.", example = "4h", confined = true)
        Span duration,

        @Key(
                value = "Longest life that `lease extend` may reach, from the first apply.",
                example = "24h",
                confined = true)
        Optional<Span> max,

        @Key(
                value =
                        "What ends the site, where neither the back-end nor its own host does: a timer on the machine that applies,"
                                + " or something else that runs `lease reap` once a minute, such as the service.",
                choices = {LeaseTerms.THIS_MACHINE, LeaseTerms.ELSEWHERE},
                example = "this-machine",
                beyond = true)
        Optional<String> enforcedBy) {
    public static final String THIS_MACHINE = "this-machine";
    public static final String ELSEWHERE = "elsewhere";

    /** Enforced by the back-end or its host. */
    public static LeaseTerms of(Span duration, Optional<Span> max) {
        return new LeaseTerms(duration, max, Optional.empty());
    }

    /** Whether apply installs a timer where it runs. */
    public boolean byThisMachine() {
        return enforcedBy.filter(THIS_MACHINE::equals).isPresent();
    }
}
