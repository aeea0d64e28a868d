package io.deepsite.openstack;

import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.Design;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Sites;
import io.deepsite.provider.Tags;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.Site;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A site of one machine group on the testbed's cloud, as its tenant. */
final class RealSite {
    private static final String LINEAGE = "11111111-2222-3333-4444-555555555555";

    private final Site site;
    private final Cloud cloud = RealCloud.cloud("tenant");
    private final OpenStackProvider provider;

    RealSite(String name, ProviderSettings.OpenStack settings, int machines, GpuRequest... gpus) {
        this(name, settings, machines, Pause.REAL, gpus);
    }

    RealSite(String name, ProviderSettings.OpenStack settings, int machines, Pause pause, GpuRequest... gpus) {
        this.site = Sites.site(name, settings, Map.of("node", Sites.many("debian-12", machines, 1, "512MiB", gpus)));
        this.provider = new OpenStackProvider(settings, cloud, Path.of(""), pause, InstantSource.system());
    }

    OpenStackProvider provider() {
        return provider;
    }

    Api api() {
        return new Api(cloud);
    }

    /** Requests that were sent so far. */
    long requests() {
        return cloud.requests().count();
    }

    Tags tags() {
        return new Tags(site.name(), LINEAGE, Optional.empty());
    }

    List<ObservedResource> owned() {
        return provider.survey(new OneSite(site.name())).owned();
    }

    Design compile() {
        return provider.survey(new OneSite(site.name())).compile(site, new Requirements(Map.of(), List.of()));
    }

    void createAllButMachines(Design design, Tags tags) {
        Set<ResourceId> done = new HashSet<>();
        var waiting = new ArrayList<>(design.resources().stream()
                .filter(resource -> !resource.isMachine())
                .toList());
        while (!waiting.isEmpty()) {
            waiting.removeIf(resource -> {
                if (!done.containsAll(resource.dependsOn())) {
                    return false;
                }
                provider.create(resource, tags, Boot.NONE, Call.QUIET);
                return done.add(resource.id());
            });
        }
    }

    static Resource machine(Design design) {
        return design.resources().stream()
                .filter(Resource::isMachine)
                .findFirst()
                .orElseThrow();
    }

    void deleteAll() {
        owned().stream()
                .sorted(Comparator.comparingInt(ObservedResource::removal))
                .forEach(seen -> provider.delete(seen, Call.QUIET));
    }
}
