package io.deepsite.site;

import java.util.Optional;

/** How long a site lives from its first apply, and how far it may be extended. */
public record LeaseTerms(
        @Key(value = "Life of the site from its first apply.", example = "4h")
        Span duration,

        @Key(value = "Longest life that `lease extend` may reach, from the first apply.", example = "24h")
        Optional<Span> max) {}
