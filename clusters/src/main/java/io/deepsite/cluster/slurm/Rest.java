package io.deepsite.cluster.slurm;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import java.util.Optional;

/** Slurm's REST interface. */
public record Rest(
        @Key(
                value =
                        "Public keys of an identity provider, a file on this machine (a full path; JWKS, RS256). Its tokens"
                                + " count beside those of `deepsite token`, if a claim `sun` or `username` names the user.",
                example = "/etc/deepsite/iam-keys.json",
                pattern = "/.+",
                impact = ChangeImpact.RESTART)
        Optional<String> jwksFile) {}
