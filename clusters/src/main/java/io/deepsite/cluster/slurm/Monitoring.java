package io.deepsite.cluster.slurm;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cidr;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import java.util.List;

/** Metrics of machines and of Slurm for Prometheus, and who may read them. */
public record Monitoring(
        @Key(
                value = "Groups of this site whose machines may read the metrics of all machines of the cluster.",
                example = "[monitor]",
                impact = ChangeImpact.FILE)
        List<Name> groups,

        @Key(
                value =
                        "Addresses outside the site that may read them, as ranges. The machines let them in; rules of a cloud"
                                + " before the machines have to let them in, too.",
                example = "[192.0.2.10/32]",
                impact = ChangeImpact.FILE)
        List<Cidr> addresses) {
    public Monitoring {
        groups = List.copyOf(groups);
        addresses = List.copyOf(addresses);
    }
}
