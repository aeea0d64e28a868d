package io.deepsite.operations;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.ClusterStages;
import io.deepsite.cluster.Stage;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.site.Cluster;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A cluster of one role of deepsite's own, which needs no variables. */
public final class RoleKind implements ClusterKind<RoleKind.OneRole> {
    public record OneRole(
            @Key(value = "The role.", example = "munge") Name role,

            @Key(value = "The groups that have it.", example = "[node]", required = true)
            List<Name> hosts)
            implements Cluster {
        @Override
        public String kind() {
            return "role";
        }

        @Override
        public Set<Name> groups() {
            return Set.copyOf(hosts);
        }
    }

    @Override
    public String name() {
        return "role";
    }

    @Override
    public Class<OneRole> model() {
        return OneRole.class;
    }

    @Override
    public void check(CheckContext context, Name name, OneRole cluster) {}

    @Override
    public Requirements requirements(Site site, Name name, OneRole cluster) {
        return Requirements.NONE;
    }

    @Override
    public List<Stage> stages(Site site, Name name, OneRole cluster, List<Machine> machines) {
        return List.of(ClusterStages.stage(
                name, cluster.role().value(), ClusterStages.in(cluster.hosts(), machines), _ -> Map.of(), List.of()));
    }

    @Override
    public List<Acceptance> acceptance(Site site, Name name, OneRole cluster, List<Machine> machines) {
        return List.of();
    }

    @Override
    public CommandPrefix commandPrefix(
            Site site, Name name, OneRole cluster, List<Machine> machines, Optional<Name> user) {
        throw new UnsupportedOperationException("it takes no commands");
    }
}
