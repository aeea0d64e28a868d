package io.deepsite.opennebula;

import io.deepsite.provider.Boot;
import io.deepsite.provider.Boot.BootFile;
import io.deepsite.provider.Call;
import io.deepsite.provider.CloudConfig;
import io.deepsite.provider.Design;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A site on a stand-in, made step by step. */
final class Made {
    static final String KEY = "not a key\n";
    static final Boot BOOT = new Boot(List.of(
            new BootFile(CloudConfig.HOST_KEY, 0600, KEY),
            new BootFile(CloudConfig.HOST_KEY + ".pub", 0644, "ssh-ed25519 AAAA of-the-host\n"),
            new BootFile(Boot.LOGIN_KEYS, 0600, "ssh-ed25519 AAAA of-deepsite\n")));

    private static final List<String> ORDER =
            List.of(Kinds.GUARD, Kinds.NETWORK, Kinds.SECURITY_GROUP, Kinds.IMAGE, Kinds.VOLUME, Kinds.VM);

    private final StandIn front;
    private final Site site;
    private final OpenNebulaProvider provider;
    private final Tags tags;
    private Design design;

    Made(StandIn front, String opennebula, String machines) {
        this(front, opennebula, machines, Optional.empty());
    }

    Made(StandIn front, String opennebula, String machines, Optional<Tags.Lease> lease) {
        this.front = front;
        this.site = Fronts.site(opennebula, machines);
        this.provider = Fronts.provider(front, site);
        this.tags = new Tags(site.name(), "11111111-2222-3333-4444-555555555555", lease);
        this.design = Fronts.compile(front, site);
    }

    OpenNebulaProvider provider() {
        return provider;
    }

    Tags tags() {
        return tags;
    }

    Site site() {
        return site;
    }

    Design design() {
        return design;
    }

    Resource resource(String kind, String key) {
        var id = new ResourceId(kind, key);
        return design.resources().stream()
                .filter(resource -> resource.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    void create(Resource resource, Call call) {
        provider.create(resource, tags, BOOT, call);
    }

    /** All but the machines. */
    Made surroundings() {
        for (var kind : ORDER.subList(0, ORDER.size() - 1)) {
            design.resources().stream()
                    .filter(resource -> resource.id().kind().equals(kind))
                    .forEach(resource -> create(resource, Call.QUIET));
        }
        return this;
    }

    Made all() {
        surroundings();
        design.resources().stream().filter(Resource::isMachine).forEach(machine -> create(machine, Call.QUIET));
        return this;
    }

    ObservedResource seen(String kind, String key) {
        var id = new ResourceId(kind, key);
        return provider.survey(new OneSite(site.name())).owned().stream()
                .filter(seen -> seen.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** The object in the stand-in. */
    StandInThing vm(String machine) {
        return front.cloud().named("vm", site.name() + "-" + machine);
    }

    Map<String, String> vector(String machine, String name) {
        return StandInThing.vectors(vm(machine).template, name).getFirst();
    }
}
