package io.deepsite.openstack;

import io.deepsite.provider.BackEnd;
import io.deepsite.provider.Design;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Survey;
import io.deepsite.provider.Tags;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** A snapshot of a project, and the resources that a site needs there. */
final class OpenStackSurvey implements Survey {
    private final BackEnd backEnd;
    private final Snapshot snapshot;
    private final OpenStackSettings settings;
    private final List<ObservedResource> owned;

    OpenStackSurvey(Snapshot snapshot, OpenStackSettings settings, Tags.Scope scope, BackEnd backEnd) {
        this.backEnd = backEnd;
        this.snapshot = snapshot;
        this.settings = settings;
        this.owned = new Observation(snapshot, scope).owned();
    }

    @Override
    public BackEnd backEnd() {
        return backEnd;
    }

    @Override
    public List<ObservedResource> owned() {
        return owned;
    }

    @Override
    public Design compile(Site site, Requirements requirements) {
        return new Compilation(snapshot, settings, site, requirements).design();
    }

    /** A server that boots from a volume has no disk of which Nova could make an image. */
    @Override
    public Optional<String> imageOf(Resource machine) {
        return Optional.ofNullable(machine.values().get(ServerAttributes.FINGERPRINT))
                .filter(_ -> !machine.values().containsKey(ServerAttributes.BOOT));
    }

    @Override
    public SortedSet<String> bakedImages() {
        return snapshot.images().stream()
                .filter(Snapshot.Image::isBaked)
                .map(Snapshot.Image::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public List<String> describe() {
        var lines = new ArrayList<String>();
        lines.add("OpenStack: " + snapshot.cloud());
        lines.add("servers: " + snapshot.servers().size() + ", flavors: "
                + snapshot.flavors().size() + ", images: " + snapshot.images().size());
        var external = snapshot.networks().stream()
                .filter(Snapshot.Network::external)
                .map(Snapshot.Network::name)
                .toList();
        lines.add("external networks: " + (external.isEmpty() ? "none" : String.join(", ", external)));
        snapshot.volumeTypes()
                .ifPresentOrElse(
                        types -> lines.add("volumes: " + snapshot.volumes().size() + ", types "
                                + (types.isEmpty() ? "none" : String.join(", ", types))),
                        () -> lines.add("volumes: the cloud has no volume service"));
        return lines;
    }
}
