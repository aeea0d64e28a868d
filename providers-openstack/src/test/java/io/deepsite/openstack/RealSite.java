package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.diag.Failure;
import io.deepsite.parallel.Fanout;
import io.deepsite.parallel.Fanout.Result;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Boot.BootFile;
import io.deepsite.provider.Call;
import io.deepsite.provider.Design;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.Pause;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Sites;
import io.deepsite.provider.Survey;
import io.deepsite.provider.Tags;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.Site;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
        return new RealSite(TestSites.load("site.yaml", text, Map.of()).orFail(), user, folder, Pause.REAL);
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

    /** A dozen and more lists: as few of these as a test can do with. */
    private Survey survey() {
        return provider.survey(new OneSite(site.name()));
    }

    List<ObservedResource> owned() {
        return survey().owned();
    }

    ObservedResource owned(ResourceId id) {
        return owned().stream().filter(seen -> seen.id().equals(id)).findFirst().orElseThrow();
    }

    Design compile() {
        return compile(survey());
    }

    private Design compile(Survey survey) {
        return survey.compile(site, TestSites.requirements(site));
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

    /** Those of one kind, which stand on nothing. */
    void make(String kind) {
        create(compile(), tags(), resource -> resource.id().kind().equals(kind));
    }

    /** Servers that start at once come into each other's way where places are few: Nova promises some a place that others take. */
    void makeInTurn(Design design, String group) {
        design.machines().stream()
                .filter(machine -> machine.group().value().equals(group))
                .map(machine -> new ResourceId(ResourceId.MACHINE, machine.name()))
                .forEach(id -> provider.create(of(design, id), tags(), LOGIN, Call.QUIET));
    }

    private void create(Design design, Tags tags, Predicate<Resource> which) {
        Set<ResourceId> done = new HashSet<>();
        var waiting = new ArrayList<>(design.resources().stream().filter(which).toList());
        while (!waiting.isEmpty()) {
            var ready = waiting.stream()
                    .filter(resource -> done.containsAll(resource.dependsOn()))
                    .toList();
            sideBySide(ready, resource -> provider.create(resource, tags, LOGIN, Call.QUIET));
            waiting.removeAll(ready);
            ready.forEach(resource -> done.add(resource.id()));
        }
    }

    /** As apply does it; all of them end before a fault is told. */
    private static <T> void sideBySide(List<T> all, Consumer<T> work) {
        var faults = Fanout.each(8, all, one -> {
                    work.accept(one);
                    return one;
                })
                .values()
                .stream()
                .flatMap(outcome ->
                        outcome instanceof Result.Failed<T> failed ? failed.diagnostics().stream() : Stream.empty())
                .toList();
        if (!faults.isEmpty()) {
            throw new Failure(faults);
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
        return of(compile(), id);
    }

    private static Resource of(Design design, ResourceId id) {
        return design.resources().stream()
                .filter(resource -> resource.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** What was made is what was asked: a plan would find nothing to do. */
    void assertUnchanged() {
        assertUnchanged(_ -> true);
    }

    void assertUnchanged(String kind) {
        assertUnchanged(id -> id.kind().equals(kind));
    }

    private void assertUnchanged(Predicate<ResourceId> which) {
        var survey = survey();
        var wanted = compile(survey).resources().stream()
                .filter(resource -> which.test(resource.id()))
                .collect(Collectors.toMap(Resource::id, resource -> Map.copyOf(resource.values())));
        assertThat(survey.owned().stream()
                        .filter(seen -> which.test(seen.id()))
                        .collect(Collectors.toMap(ObservedResource::id, seen -> Map.copyOf(seen.attributes()))))
                .isNotEmpty()
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
                .collect(Collectors.groupingBy(ObservedResource::removal, TreeMap::new, Collectors.toList()))
                .values()
                .forEach(alike -> sideBySide(alike, seen -> provider.delete(seen, Call.QUIET)));
    }
}
