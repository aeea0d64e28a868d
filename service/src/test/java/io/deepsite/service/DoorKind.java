package io.deepsite.service;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.Stage;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.site.Cluster;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A cluster without roles, which gives its users a file to log in by. */
public final class DoorKind implements ClusterKind<DoorKind.Door> {
    public record Door(
            @Key(value = "The groups behind it.", example = "[node]", required = true)
            List<Name> hosts) implements Cluster {
        @Override
        public String kind() {
            return "door";
        }

        @Override
        public Set<Name> groups() {
            return Set.copyOf(hosts);
        }
    }

    @Override
    public String name() {
        return "door";
    }

    @Override
    public Class<Door> model() {
        return Door.class;
    }

    @Override
    public void check(CheckContext context, Name name, Door cluster) {}

    @Override
    public Requirements requirements(Site site, Name name, Door cluster) {
        return Requirements.NONE;
    }

    @Override
    public List<Stage> stages(Site site, Name name, Door cluster, List<Machine> machines) {
        return List.of();
    }

    @Override
    public List<Acceptance> acceptance(Site site, Name name, Door cluster, List<Machine> machines) {
        return List.of();
    }

    @Override
    public CommandPrefix commandPrefix(
            Site site, Name name, Door cluster, List<Machine> machines, Optional<Name> user) {
        throw new UnsupportedOperationException("it takes no commands");
    }

    @Override
    public Optional<LoginFile> loginFile(Name name, Door cluster) {
        return Optional.of(new LoginFile(
                "kubeconfig",
                site -> "cluster: " + name + " of " + site.machines().getFirst().name() + "\n"));
    }
}
