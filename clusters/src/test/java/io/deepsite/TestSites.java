package io.deepsite;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.cluster.SiteStages;
import io.deepsite.cluster.Stage;
import io.deepsite.cluster.builtin.BuiltInKinds;
import io.deepsite.provider.Machine;
import io.deepsite.provider.PciBus;
import io.deepsite.provider.Requirements;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.LoadResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Sites for tests, with all kinds of clusters that deepsite ships. */
public final class TestSites {
    private TestSites() {}

    public static LoadResult load(Path file, Map<String, String> set) {
        return BuiltInKinds.ALL.loader().load(file, set);
    }

    public static LoadResult load(String file, String text, Map<String, String> set) {
        return BuiltInKinds.ALL.loader().load(file, text, set);
    }

    public static ClusterKinds.Known cluster(Site site, Name name) {
        return BuiltInKinds.ALL.of(
                site, name, Objects.requireNonNull(site.clusters().get(name)));
    }

    /** For machines without device passthrough. */
    public static List<Stage> stages(Site site, List<Machine> machines) {
        return stages(site, machines, Map.of());
    }

    /** @param buses by machine, as {@link io.deepsite.provider.Design} has them */
    public static List<Stage> stages(Site site, List<Machine> machines, Map<String, PciBus> buses) {
        return stages(site, machines, buses, Map.of());
    }

    /** @param accounts as {@link SiteStages#stages} takes them */
    public static List<Stage> stages(
            Site site,
            List<Machine> machines,
            Map<String, PciBus> buses,
            Map<String, ? extends Map<String, Integer>> accounts) {
        return new SiteStages(BuiltInKinds.ALL, site).stages(machines, buses, accounts);
    }

    public static Requirements requirements(Site site) {
        return new SiteStages(BuiltInKinds.ALL, site).requirements();
    }

    public static List<Acceptance> acceptance(Site site, List<Machine> machines) {
        return new SiteStages(BuiltInKinds.ALL, site).acceptance(machines);
    }
}
