package io.deepsite.site;

import java.time.Duration;

/** SSH certificates for the users of a site, signed by an authority of the site's own. */
public record SshCertificates(
        @Key(
                value = "Longest validity of a certificate, 7d at most; none outlives the site's lease.",
                defaultValue = "8h",
                example = "4h",
                confined = true)
        Span validity,

        @Key(
                value = "Whether users may also log in with keys of their own; false leaves them only certificates.",
                defaultValue = "true",
                example = "false",
                impact = ChangeImpact.FILE)
        boolean ownKeys) {

    /** A certificate cannot be taken back one by one, so that one that got lost must end soon. */
    public static final Span LONGEST = new Span(Duration.ofDays(7));
}
