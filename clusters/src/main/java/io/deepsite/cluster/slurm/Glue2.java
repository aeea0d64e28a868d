package io.deepsite.cluster.slurm;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cidr;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Optional;

/** The cluster in a grid's information system: GLUE 2 by a bdii on the controller. */
public record Glue2(
        @Key(
                value = "The grid's name of the site (AdminDomain). Without it, the name of the site.",
                example = "LAB-EXAMPLE",
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]*",
                impact = ChangeImpact.FILE)
        Optional<String> domain,

        @Key(
                value = "Where jobs are taken: SSH, or the proxy before Slurm's REST interface. Without it, SSH at the"
                        + " controller's address.",
                example = "https://jobs.example.org",
                pattern = "(https|ssh)://[A-Za-z0-9.:/_~\\[\\]-]+",
                impact = ChangeImpact.FILE)
        Optional<String> endpoint,

        @Key(
                value =
                        "Virtual organisations whose members may use it, for the published policies. Who they are to Slurm is"
                                + " the matter of users and accounts.",
                example = "[biomed]",
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]*",
                impact = ChangeImpact.FILE)
        List<String> organisations,

        @Key(
                value = "Groups of this site whose machines may ask, such as a site's own bdii.",
                example = "[bdii]",
                impact = ChangeImpact.FILE)
        List<Name> groups,

        @Key(
                value =
                        "Addresses outside the site that may ask, as ranges. The controller lets them in; rules of a cloud"
                                + " before it have to let them in, too.",
                example = "[192.0.2.20/32]",
                impact = ChangeImpact.FILE)
        List<Cidr> addresses) {
    public Glue2 {
        organisations = List.copyOf(organisations);
        groups = List.copyOf(groups);
        addresses = List.copyOf(addresses);
    }
}
