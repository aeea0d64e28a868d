package io.deepsite.site;

/** When the site proves itself again though nothing changed, and how long an acceptance job may wait for a busy node. */
public record VerifyPolicy(
        @Key(value = "Oldest proof that still counts.", defaultValue = "24h")
        Span maxAge,

        @Key(value = "Longest wait of one acceptance job.", defaultValue = "2m")
        Span patience) {}
