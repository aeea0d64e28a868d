package io.deepsite.cluster;

import io.deepsite.diag.Where;
import io.deepsite.provider.Machine;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;

/** What a plan found on a site's hosts and would do with its machines; a kind of cluster may refuse it. */
public interface PlanReview {
    List<Machine> machines();

    /** Machines that the plan makes; also those that it makes in place of one. */
    Set<String> made();

    /** Machines that exist, and that the plan replaces: what they hold is lost. */
    Set<String> replaced();

    /** What a probe of a contract printed, by host; without hosts that did not run it, or where it failed. */
    SortedMap<String, String> printed(String probe);

    /** The place of a key in site.yaml, as {@code clusters.hpc.version}; the nearest above where it is left out. */
    Where where(String path);
}
