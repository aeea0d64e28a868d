package io.deepsite.opennebula;

import io.deepsite.provider.BackEnd;
import io.deepsite.provider.Design;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Survey;
import io.deepsite.provider.Tags;
import io.deepsite.site.Site;
import java.util.List;

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
