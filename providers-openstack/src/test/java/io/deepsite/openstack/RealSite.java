package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.SiteStages;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Boot.BootFile;
import io.deepsite.provider.Call;
import io.deepsite.provider.Design;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Sites;
import io.deepsite.provider.Tags;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.Site;
import io.deepsite.site.load.SiteLoader;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** A site on the testbed's cloud, as its tenant or its administrator. */
final class RealSite {
    static final String LINEAGE = "11111111-2222-3333-4444-555555555555";

    /** A public key whose private half nobody has. */
    static final Boot LOGIN = new Boot(List.of(new BootFile(
            Boot.LOGIN_KEYS,
            0600,
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g of-a-test\n")));

    private final Site site;
    private final Cloud cloud;
    private final OpenStackProvider provider;

    /** One machine group. */
    RealSite(String name, ProviderSettings.OpenStack settings, int machines, GpuRequest... gpus) {
        this(name, settings, machines, Pause.REAL, gpus);
    }

    RealSite(String name, ProviderSettings.OpenStack settings, int machines, Pause pause, GpuRequest... gpus) {
        this(
                Sites.site(name, settings, Map.of("node", Sites.many("debian-12", machines, 1, "512MiB", gpus))),
                "tenant",
                Path.of(""),
                pause);
    }

    /**
     * As site.yaml says it.
     *
     * @param user of clouds.yaml
     * @param folder where files of the site stand
     */
    static RealSite of(String name, String user, Path folder, String openstack, String rest) {
        var text = """
                apiVersion: deepsite/v1
                site: %s
                provider: {openstack: %s}
                %s
                """.formatted(name, openstack, rest);
        return new RealSite(SiteLoader.load("site.yaml", text, Map.of()).orFail(), user, folder, Pause.REAL);
    }

    private RealSite(Site site, String user, Path folder, Pause pause) {
        var settings = (ProviderSettings.OpenStack) site.provider();
        this.site = site;
        this.cloud = RealCloud.cloud(user);
        this.provider = new OpenStackProvider(settings, cloud, folder, pause, InstantSource.system());
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

    ObservedResource owned(ResourceId id) {
        return owned().stream().filter(seen -> seen.id().equals(id)).findFirst().orElseThrow();
    }

    Design compile() {
        return provider.survey(new OneSite(site.name())).compile(site, SiteStages.requirements(site));
    }

    void createAllButMachines(Design design, Tags tags) {
        create(design, tags, resource -> !resource.isMachine());
    }

    /** Everything, what it stands on first. */
    Design make() {
        var design = compile();
        create(design, tags(), _ -> true);
        return design;
    }

    private void create(Design design, Tags tags, Predicate<Resource> which) {
        Set<ResourceId> done = new HashSet<>();
        var waiting = new ArrayList<>(design.resources().stream().filter(which).toList());
        while (!waiting.isEmpty()) {
            waiting.removeIf(resource -> {
                if (!done.containsAll(resource.dependsOn())) {
                    return false;
                }
                provider.create(resource, tags, LOGIN, Call.QUIET);
                return done.add(resource.id());
            });
        }
    }

    /** The only one of its kind. */
    Resource desired(String kind) {
        return compile().resources().stream()
                .filter(resource -> resource.id().kind().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    Resource desired(ResourceId id) {
        return compile().resources().stream()
                .filter(resource -> resource.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** What was made is what was asked: a plan would find nothing to do. */
    void assertUnchanged() {
        var wanted = compile().resources().stream()
                .collect(Collectors.toMap(Resource::id, resource -> Map.copyOf(resource.values())));
        assertThat(owned().stream()
                        .collect(Collectors.toMap(ObservedResource::id, seen -> Map.copyOf(seen.attributes()))))
                .isEqualTo(wanted);
    }

    /** Of the machines. */
    List<Condition> conditions() {
        return owned().stream()
                .filter(seen -> seen.id().kind().equals(Kinds.SERVER))
                .map(ObservedResource::condition)
                .toList();
    }

    /** All addresses of a server. */
    static List<String> addresses(JsonNode server) {
        return server.path("addresses")
                .valueStream()
                .flatMap(JsonNode::valueStream)
                .map(address -> Nodes.text(address, "addr"))
                .toList();
    }

    static Resource machine(Design design) {
        return design.resources().stream()
                .filter(Resource::isMachine)
                .findFirst()
                .orElseThrow();
    }

    /** What Nova says of a machine, with all that it says to this user. */
    JsonNode server(String machine) {
        var path =
                "/servers/detail?name=^" + Kinds.name(site.name(), new ResourceId(ResourceId.MACHINE, machine)) + "$";
        return api().list(Service.COMPUTE, path, "servers", node -> node).getFirst();
    }

    void deleteAll() {
        owned().stream()
                .sorted(Comparator.comparingInt(ObservedResource::removal))
                .forEach(seen -> provider.delete(seen, Call.QUIET));
    }
}
