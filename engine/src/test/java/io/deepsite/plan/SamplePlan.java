package io.deepsite.plan;

import io.deepsite.cluster.Stage;
import io.deepsite.contract.Action;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.contract.Seen;
import io.deepsite.contract.Unknowns;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.remote.HostFacts;
import io.deepsite.remote.ProbeAnswer;
import io.deepsite.render.ContractJson;
import io.deepsite.site.LeaseTerms;
import io.deepsite.site.Name;
import io.deepsite.state.RecordedHost;
import io.deepsite.state.RecordedResource;
import io.deepsite.state.RecordedRole;
import io.deepsite.state.SiteState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** A site of one machine and one small role: desired, recorded and observed; tests change one thing at a time. */
final class SamplePlan {
    static final String TEXT = "welcome\n";
    static final String SECRET_TEXT = "key=" + Marker.secret("small_key") + "\n";

    SiteState state = SiteState.fresh("lab", "1.0");
    List<Resource> resources = new ArrayList<>(List.of(machine("debian-1", "1")));
    List<ObservedResource> owned = new ArrayList<>();
    Map<String, ProbeAnswer> observed = new TreeMap<>();
    Map<String, List<Diagnostic>> silent = new TreeMap<>();
    Contract contract = contract(TEXT);
    List<Stage> stages = List.of(new Stage("motd", "motd", Map.of("head", Map.of()), 0, List.of(), false));
    Set<String> tasks = Set.of("motd/greet.yml", "motd/greet_undo.yml");
    String tool = "1.0";
    boolean removePackages = false;
    Map<String, String> secrets = new TreeMap<>();
    Optional<LeaseTerms> lease = Optional.empty();
    Optional<Instant> ends = Optional.empty();
    Map<String, String> contents =
            new TreeMap<>(Map.of(Digests.sha256(TEXT), TEXT, Digests.sha256(SECRET_TEXT), SECRET_TEXT));

    Plan plan() {
        var contracts = new TreeMap<String, Map<String, Desired.RenderedRole>>();
        stages.forEach(stage -> stage.hosts()
                .forEach(host -> contracts
                        .computeIfAbsent(stage.name(), _ -> new TreeMap<>())
                        .put(host, new Desired.RenderedRole(contract, fingerprint(contract)))));
        return Planner.plan(new Planner.Input(
                new Name("lab"),
                lease,
                tool,
                state,
                new Desired(new Design(resources, List.of(host())), stages, contracts, List.of(), texts()),
                owned,
                observed,
                silent,
                resolver(),
                tasks,
                removePackages));
    }

    UnknownResolver resolver() {
        var fingerprints = new TreeMap<String, String>();
        secrets.forEach((name, value) -> fingerprints.put(name, "hmac:" + Digests.sha256(value)));
        return new UnknownResolver(secrets, fingerprints, Map.of(), digest -> "hmac:" + digest);
    }

    /** Everything applied as desired, and recorded. */
    SamplePlan applied() {
        resources.forEach(resource -> owned.add(seen(resource, ObservedResource.Condition.READY)));
        resources.forEach(resource -> state = state.withResource(
                resource.id().toString(),
                new RecordedResource("instance", resource.name(), new TreeMap<>(resource.values()), List.of())));
        state = state.withSecrets(resolver().fingerprints());
        state = state.withHost(
                "head",
                new RecordedHost("10.0.0.2", 22, "root", "ssh-ed25519 AAAA", new TreeMap<>())
                        .withRole(
                                "motd",
                                new RecordedRole(
                                        "motd",
                                        List.of(),
                                        fingerprint(contract),
                                        ContractJson.tree(resolver().recorded(contract, texts())),
                                        List.of("greet"))));
        observed.put("head", holds(contract));
        return this;
    }

    Contents texts() {
        return new Contents(new TreeMap<>(contents));
    }

    ProbeAnswer holds(Contract wanted) {
        var items = new TreeMap<String, Seen>();
        for (var open : wanted.items()) {
            var item = Unknowns.filled(resolver().close(open, texts()), text -> text.replace('\u0001', '?'));
            switch (item) {
                case Item.File file -> items.put(file.id(), seenFile(file.body()));
                case Item.DebianPackage _ -> items.put(item.id(), Seen.of(Map.of("installed", true, "held", false)));
                case Item.Ini ini -> items.put(item.id(), Seen.of(Map.of("present", true, "values", ini.values())));
                case Item.Line line ->
                    items.put(item.id(), Seen.of(Map.of("present", true, "sha256", Digests.sha256(line.text()))));
                case Item.Mount mount ->
                    items.put(item.id(), Seen.of(Map.of("mounted", true, "source", mount.source())));
                case Item.Probe probe ->
                    items.put(
                            probe.id(),
                            Seen.of(Map.of("rc", 0, "stdout", probe.expect().orElse(""))));
                default -> throw new IllegalArgumentException(item.id());
            }
        }
        return answer(items, new TreeMap<>());
    }

    /** As root's, readable by all. */
    static Seen seenFile(String sha256) {
        return Seen.of(Map.of(
                "exists", true, "type", "file", "sha256", sha256, "owner", "root", "group", "root", "mode", "0644"));
    }

    static ProbeAnswer answer(SortedMap<String, Seen> items, SortedMap<String, String> texts) {
        return new ProbeAnswer(
                new HostFacts(
                        "debian", "12", "bookworm", 1, 1024, "x86_64", "head", "6", "", "b", Optional.empty(), 0, true),
                items,
                new TreeSet<>(Set.of("motd/greet")),
                texts);
    }

    /** The same answer, with exactly these actions of the role done. */
    static ProbeAnswer done(ProbeAnswer answer, String... actions) {
        var done = new TreeSet<String>();
        for (var action : actions) {
            done.add("motd/" + action);
        }
        return new ProbeAnswer(answer.facts(), answer.items(), done, answer.texts());
    }

    ObservedResource seen(Resource resource, ObservedResource.Condition condition) {
        return new ObservedResource(
                resource.id(),
                resource.name(),
                new TreeMap<>(resource.values()),
                new Tags(new Name("lab"), state.lineage(), ends.map(end -> new Tags.Lease(end, Optional.empty()))),
                "etag-1",
                condition,
                List.of());
    }

    static Resource machine(String image, String cpus) {
        var attributes = new TreeMap<String, Resource.Attribute>();
        attributes.put("image", new Resource.Attribute(image, Resource.Mutability.REPLACE));
        attributes.put("limits.cpu", new Resource.Attribute(cpus, Resource.Mutability.IN_PLACE));
        attributes.put("nesting", new Resource.Attribute("false", Resource.Mutability.RESTART));
        return new Resource(new ResourceId("instance", "head"), "lab-head", attributes, List.of());
    }

    /** The first step that applies a role. */
    static Step.OfRole role(Plan plan) {
        return plan.steps().stream()
                .filter(Step.OfRole.class::isInstance)
                .map(Step.OfRole.class::cast)
                .findFirst()
                .orElseThrow();
    }

    /** Its only action needs a fact. */
    static Contract greeting(Item.Unknown fact) {
        var greet = contract(TEXT).actions().getFirst();
        return new Contract(
                "motd",
                "head",
                List.of(),
                List.of(new Action(
                        greet.id(),
                        greet.does(),
                        greet.done(),
                        greet.run(),
                        greet.undo(),
                        Optional.empty(),
                        greet.blast(),
                        new TreeMap<>(Map.of("cpus", Marker.fact(fact))),
                        "d",
                        true)));
    }

    static Contract contract(String text) {
        return new Contract(
                "motd",
                "head",
                List.of(
                        file("/etc/motd", text),
                        new Item.DebianPackage("cowsay", true, false, Item.Phase.BEFORE, Item.Notify.NONE)),
                List.of(new Action(
                        "greet",
                        "greets",
                        List.of("test", "-e", "/greeted"),
                        "greet.yml",
                        Optional.of("greet_undo.yml"),
                        Optional.empty(),
                        Action.Impact.DRAIN,
                        new TreeMap<>(),
                        "d",
                        true)));
    }

    static Item.File file(String path, String text) {
        return new Item.File(
                path,
                "root",
                "root",
                "0644",
                Digests.sha256(text),
                Marker.secretsIn(text),
                Marker.unknownsIn(text),
                Item.Owner.OURS,
                Item.Phase.BEFORE,
                Item.Notify.NONE);
    }

    private static String fingerprint(Contract contract) {
        return Digests.sha256(ContractJson.tree(contract).toString());
    }

    private static Machine host() {
        return new Machine(
                "head",
                new Name("head"),
                Optional.of(new ResourceId("instance", "head")),
                "lxd",
                new Machine.Specs(1, 1024, true, List.of()),
                new Machine.Ssh(Optional.of("10.0.0.2"), 22, "root", Optional.empty()));
    }
}
