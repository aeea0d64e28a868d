package io.deepsite.cluster.slurm;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.SiteStages;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** The users of a directory as a Slurm cluster has them. */
final class SlurmDirectory {
    private SlurmDirectory() {}

    /** Jobs run as users of the directory, and accounts have them. */
    static List<String> needs(Site site, List<String> own) {
        if (site.directory().isEmpty()) {
            return own;
        }
        var needs = new ArrayList<>(own);
        needs.add(SiteStages.DIRECTORY);
        return needs;
    }

    /** Empty for a site without a directory. */
    static Optional<Acceptance> acceptance(Site site, Name name, Slurm slurm, String head, List<Machine> nodes) {
        return site.directory().map(directory -> {
            var variables = new TreeMap<String, Object>();
            variables.put("slurm_verify_directory_user", SiteStages.VERIFY_USER);
            variables.put(
                    "slurm_verify_directory_nodes",
                    nodes.stream().map(Machine::name).toList());
            variables.put(
                    "slurm_verify_directory_groups",
                    slurm.accounting()
                            ? List.copyOf(new SlurmAccounts(site, slurm).directoryGroups())
                            : directory.allow());
            variables.put(
                    "slurm_verify_directory_follows",
                    slurm.accounting()
                            && !new SlurmAccounts(site, slurm).directoryGroups().isEmpty());
            return new Acceptance(name.value(), slurm.kind(), head, "slurm/verify-directory.sh.j2", variables);
        });
    }
}
