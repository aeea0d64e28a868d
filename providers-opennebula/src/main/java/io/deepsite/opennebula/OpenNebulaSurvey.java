package io.deepsite.opennebula;

import io.deepsite.provider.BackEnd;
import io.deepsite.provider.Design;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Survey;
import io.deepsite.provider.Tags;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A snapshot of a front-end, and the resources that a site needs there. */
final class OpenNebulaSurvey implements Survey {
    private final BackEnd backEnd;
    private final Snapshot snapshot;
    private final OpenNebulaSettings settings;
    private final List<ObservedResource> owned;

    OpenNebulaSurvey(Snapshot snapshot, OpenNebulaSettings settings, Tags.Scope scope, BackEnd backEnd) {
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

    /**
     * The size of the disk is a part of it: OpenNebula makes no disk that is smaller than its image. A machine of a persistent
     * image has no disk of its own: what is installed there is then in the image of site.yaml.
     */
    @Override
    public Optional<String> imageOf(Resource machine) {
        var values = machine.values();
        return Optional.ofNullable(values.get(VmAttributes.FINGERPRINT))
                .filter(image -> snapshot.images().stream()
                        .noneMatch(one -> one.origin().persistent()
                                && String.valueOf(one.id()).equals(image)))
                .map(image -> Stream.of(image, values.getOrDefault(VmAttributes.DISK, ""))
                        .filter(word -> !word.isEmpty())
                        .collect(Collectors.joining(" ")));
    }

    @Override
    public SortedSet<String> bakedImages() {
        return snapshot.images().stream()
                .filter(image -> image.isBakedBy(snapshot.user()) && image.isUsable())
                .map(Snapshot.Image::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Override
    public List<String> describe() {
        return List.of(
                snapshot.front() + ", version " + snapshot.version(),
                "VMs: " + snapshot.vms().size() + ", images: "
                        + snapshot.images().size() + ", virtual networks: "
                        + snapshot.networks().size(),
                "hosts: " + (snapshot.hosts().isEmpty() ? "this user sees none" : HostWords.free(snapshot.hosts())));
    }
}
