package io.deepsite.cli.view;

import io.deepsite.contract.Action;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.plan.ActionChange;
import io.deepsite.plan.Barriers;
import io.deepsite.plan.Change;
import io.deepsite.plan.FieldChange;
import io.deepsite.plan.ItemChange;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import io.deepsite.provider.Bill;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Price;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Small plans like those of the planner. */
final class SamplePlans {
    static final String HOSTS = "10.0.0.2 head\n" + Marker.fact(new Item.Unknown("node-1", "address")) + " node-1\n";
    static final String KEY = "key=" + Marker.secret("munge_key") + "\n";

    private SamplePlans() {}

    /** A head and two nodes that do not exist yet. */
    static Plan fresh() {
        var steps = new ArrayList<Step>();
        steps.add(create("pool", "nova", "lab-nova", Map.of("driver", "btrfs", "size", "20GiB")));
        steps.add(create(
                "instance",
                "head",
                "lab-head",
                Map.of("image", "debian-1", "limits.cpu", "2", "ipv4.address", "10.0.0.2")));
        steps.add(create("instance", "node-1", "lab-node-1", Map.of("image", "debian-1", "limits.cpu", "1")));
        steps.add(create("instance", "node-2", "lab-node-2", Map.of("image", "debian-1", "limits.cpu", "1")));
        for (var host : List.of("head", "node-1", "node-2")) {
            var contract = munge(host);
            steps.add(new Step.OfRole(
                    new Step.Head(
                            "hpc.munge@" + host, List.of("resource:instance/" + host), Change.CREATE, "new machine"),
                    "hpc.munge",
                    host,
                    true,
                    contract,
                    "f",
                    new Step.Differences(
                            contract.items().stream()
                                    .map(item -> new ItemChange(item.id(), Change.CREATE, List.of(), added(item)))
                                    .toList(),
                            host.equals("head")
                                    ? List.of(new ActionChange(
                                            "accounts", Change.CREATE, "registers the cluster", Action.Impact.NOTHING))
                                    : List.of(),
                            Optional.empty()),
                    Optional.empty()));
        }
        return plan(
                steps,
                List.of(new Plan.SecretChange("munge_key", Change.CREATE)),
                List.of(),
                List.of(),
                Optional.of(14_400L));
    }

    /** A head and 400 nodes that do not exist yet, each with a file that names it. */
    static Plan many() {
        var hosts = Stream.concat(
                        Stream.of("head"), IntStream.rangeClosed(1, 400).mapToObj(number -> "node-" + number))
                .toList();
        var addresses = new StringBuilder();
        var steps = new ArrayList<Step>();
        for (var host : hosts) {
            int number = steps.size();
            var address = "10.0." + number / 200 + "." + (number % 200 + 2);
            addresses.append(address).append(' ').append(host).append('\n');
            steps.add(create(
                    "instance",
                    host,
                    "lab-" + host,
                    Map.of(
                            "image",
                            "debian-1",
                            "cpus",
                            host.equals("head") ? "2" : "1",
                            "ipv4.address",
                            address,
                            "volume",
                            "lab-" + host + "-data")));
        }
        for (var host : hosts) {
            var text = host.equals("head") ? addresses.toString() : "name=" + host + "\n";
            var item = file("/etc/node.conf", text);
            steps.add(new Step.OfRole(
                    new Step.Head("hpc.node@" + host, List.of(), Change.CREATE, "new machine"),
                    "hpc.node",
                    host,
                    true,
                    new Contract("node", host, List.of(item), List.of()),
                    "f",
                    new Step.Differences(
                            List.of(new ItemChange(
                                    item.id(), Change.CREATE, List.of(), Optional.of(added(item, text)))),
                            List.of(),
                            Optional.empty()),
                    Optional.empty()));
        }
        return plan(steps, List.of(), List.of(), List.of(), Optional.empty());
    }

    /** One new machine. */
    static Plan fromBakedImage() {
        var made = (Step.OfResource) create("instance", "head", "lab-head", Map.of("image", "debian-1"));
        return plan(
                List.of(new Step.OfResource(
                        made.id(),
                        made.needs(),
                        made.change(),
                        made.reason(),
                        made.desired().map(machine -> machine.fromBaked("deepsite-0123456789abcdef")),
                        made.seen(),
                        made.fields())),
                List.of(),
                List.of(),
                List.of(),
                Optional.empty());
    }

    /** One of each kind of change on an existing site. */
    static Plan changes() {
        var steps = new ArrayList<Step>();
        steps.add(new Step.OfResource(
                "resource:instance/head",
                List.of(),
                Change.UPDATE,
                "differs",
                Optional.of(new Resource(
                        new ResourceId("instance", "head"),
                        "lab-head",
                        new TreeMap<>(Map.of("limits.cpu", new Resource.Attribute("2", Resource.Mutability.RESTART))),
                        List.of())),
                Optional.of(seen("instance", "head", "lab-head")),
                List.of(
                        new FieldChange("limits.cpu", Optional.of("1"), Optional.of("2")),
                        new FieldChange("nesting", Optional.of("true"), Optional.empty()))));
        for (var node : List.of("node-1", "node-2", "node-3")) {
            steps.add(new Step.OfResource(
                    "resource:instance/" + node,
                    List.of(),
                    Change.REPLACE,
                    "changes what cannot change in place",
                    Optional.of(resource("instance", node, "lab-" + node, Map.of("image", "debian-2"))),
                    Optional.of(seen("instance", node, "lab-" + node)),
                    List.of(new FieldChange("image", Optional.of("debian-1"), Optional.of("debian-2")))));
        }
        steps.add(new Step.OfResource(
                "resource:volume/old",
                List.of(),
                Change.DELETE,
                "no longer wanted",
                Optional.empty(),
                Optional.of(seen("volume", "old", "lab-old")),
                List.of(new FieldChange("size", Optional.of("1GiB"), Optional.empty()))));
        steps.add(new Step.OfRole(
                new Step.Head("hpc.munge@head", List.of(), Change.UPDATE, "changed in site.yaml or in the role"),
                "hpc.munge",
                "head",
                false,
                munge("head"),
                "f",
                new Step.Differences(
                        List.of(
                                new ItemChange(
                                        "file:/etc/hosts",
                                        Change.UPDATE,
                                        List.of(
                                                new Item.Difference("sha256", "aa", "bb"),
                                                new Item.Difference("mode", "0600", "0644")),
                                        Optional.of("""
                                    --- /etc/hosts
                                    +++ /etc/hosts
                                    @@ -1,1 +1,2 @@
                                     10.0.0.2 head
                                    +<address of node-1> node-1
                                    """)),
                                new ItemChange(
                                        "file:/etc/munge/munge.key",
                                        Change.UPDATE,
                                        List.of(new Item.Difference("content", "***", "***")),
                                        Optional.empty()),
                                new ItemChange(
                                        "service:munge.service",
                                        Change.UPDATE,
                                        List.of(new Item.Difference("active", "false", "true")),
                                        Optional.empty()),
                                new ItemChange("package:telnet", Change.DELETE, List.of(), Optional.empty())),
                        List.of(),
                        Optional.empty()),
                Optional.of("p")));
        steps.add(new Step.Leave(
                "leave.motd@head",
                List.of(),
                "no longer wanted",
                "motd",
                "head",
                new Contract(
                        "motd",
                        "head",
                        List.of(
                                file("/etc/motd", "hi\n"),
                                new Item.DebianPackage("cowsay", true, false, Item.Phase.BEFORE, Item.Notify.NONE),
                                new Item.DebianPackage("lolcat", true, false, Item.Phase.BEFORE, Item.Notify.NONE)),
                        List.of()),
                Step.Leave.Extent.ROLE,
                List.of(
                        new ItemChange("package:cowsay", Change.NONE, List.of(), Optional.empty()),
                        new ItemChange("package:lolcat", Change.DELETE, List.of(), Optional.empty()),
                        new ItemChange("file:/etc/motd", Change.DELETE, List.of(), Optional.empty())),
                List.of(new ActionChange("greet", Change.DELETE, "greets", Action.Impact.DRAIN)),
                Optional.of("p")));
        return plan(
                steps,
                List.of(new Plan.SecretChange("munge_key", Change.UPDATE)),
                drift(),
                List.of("node-4", "node-5"),
                Optional.empty());
    }

    /** A plan of another version of deepsite: the role is revised, but changes nothing. */
    static Plan revised() {
        var steps = Stream.of("head", "node-1", "node-2")
                .map(host -> (Step) new Step.OfRole(
                        new Step.Head("hpc.munge@" + host, List.of(), Change.UPDATE, "role revised, 0 items differ"),
                        "hpc.munge",
                        host,
                        false,
                        munge(host),
                        "f",
                        new Step.Differences(List.of(), List.of(), Optional.empty()),
                        Optional.of("p")))
                .toList();
        return plan(steps, List.of(), List.of(), List.of(), Optional.empty());
    }

    /** Machines of two flavors, one of them without a price, in a project with quotas. */
    static Plan charged(Optional<Long> leaseSeconds) {
        var bill = new Bill(
                List.of(
                        new Bill.Limit("the project lab", "servers", 3, 2, 10),
                        new Bill.Limit("the project lab", "MiB of memory", 6144, 51_200, 204_800)),
                List.of(
                        new Bill.Rate("m1.large", 1, Optional.of(Price.parse("0.155 EUR"))),
                        new Bill.Rate("m1.small", 2, Optional.of(Price.parse("0.04 EUR"))),
                        new Bill.Rate("own", 1, Optional.empty())));
        var made = create("instance", "head", "lab-head", Map.of("flavor", "m1.large"));
        var plan = plan(List.of(made), List.of(), List.of(), List.of(), leaseSeconds);
        return new Plan(
                plan.origin(),
                plan.lifetime(),
                new Plan.Observed(List.of(), new TreeMap<>(), List.of(), bill),
                plan.machines(),
                plan.stages(),
                plan.secrets(),
                plan.steps(),
                plan.barriers(),
                plan.proofs(),
                plan.contents());
    }

    static Plan nothing() {
        return plan(List.of(), List.of(), List.of(), List.of("head", "node-1", "node-2"), Optional.empty());
    }

    static List<Plan.Drift> drift() {
        return List.of(
                new Plan.Drift("", "", "instance/head", List.of(new Item.Difference("limits.cpu", "1", "2"))),
                new Plan.Drift(
                        "node-4",
                        "motd",
                        "file:/etc/motd",
                        List.of(
                                new Item.Difference("sha256", "aa", "bb"),
                                new Item.Difference("mode", "0600", "0644"))),
                new Plan.Drift(
                        "node-4",
                        "munge",
                        "package:munge",
                        List.of(new Item.Difference("installed", "false", "true"))));
    }

    private static Plan plan(
            List<Step> steps,
            List<Plan.SecretChange> secrets,
            List<Plan.Drift> drift,
            List<String> unchanged,
            Optional<Long> lease) {
        return new Plan(
                new Plan.Origin(Plan.FORMAT, "1.0", "lab", "lineage", lease.isPresent() ? 0 : 4, "fingerprint"),
                new Plan.Lifetime(lease, lease.map(seconds -> 6 * seconds), List.of()),
                new Plan.Observed(drift, new TreeMap<>(), unchanged, Bill.NONE),
                new TreeMap<>(
                        Map.of("head", machine("head"), "node-1", machine("node-1"), "node-2", machine("node-2"))),
                List.of(
                        new Plan.StageOrder(
                                "hpc.munge", "munge", List.of("head", "node-1", "node-2"), 0, List.of(), false),
                        new Plan.StageOrder(
                                "hpc.slurmctld", "slurmctld", List.of("head"), 0, List.of("hpc.munge"), true),
                        new Plan.StageOrder(
                                "hpc.slurmd",
                                "slurmd",
                                List.of("node-1", "node-2"),
                                0,
                                List.of("hpc.slurmctld"),
                                true)),
                secrets,
                steps,
                Barriers.NONE,
                List.of(new Plan.Proof("hpc", "slurm", "head", "", 120, 86_400)),
                new Contents(new TreeMap<>(Map.of(Digests.sha256(HOSTS), HOSTS, Digests.sha256(KEY), KEY))));
    }

    private static Machine machine(String name) {
        return new Machine(
                name,
                new Name(name.replaceFirst("-.*", "")),
                Optional.of(new ResourceId("instance", name)),
                "lxd",
                new Machine.Specs(1, 1024, true, List.of()),
                new Machine.Ssh(Optional.of("10.0.0.2"), 22, "root", Optional.empty()));
    }

    private static Contract munge(String host) {
        return new Contract(
                "munge",
                host,
                List.of(
                        new Item.DebianPackage("munge", true, false, Item.Phase.BEFORE, Item.Notify.NONE),
                        new Item.Ini(
                                "/etc/pool.ini",
                                "pool",
                                "node",
                                List.of(Marker.fact(new Item.Unknown("node-1", "address"))),
                                false,
                                Item.Phase.BEFORE,
                                Item.Notify.NONE),
                        file("/etc/hosts", HOSTS),
                        file("/etc/munge/munge.key", KEY),
                        new Item.Service("munge.service", true, true, Item.Phase.AFTER, Item.Notify.NONE)),
                List.of());
    }

    private static Item.File file(String path, String text) {
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
                new Item.Notify(List.of("munge.service"), List.of()));
    }

    private static Optional<String> added(Item item) {
        if (!(item instanceof Item.File file)) {
            return Optional.empty();
        }
        return Optional.of(added(file, file.path().equals("/etc/hosts") ? HOSTS : KEY));
    }

    private static String added(Item.File file, String text) {
        var diff = new StringBuilder("--- /dev/null\n+++ " + file.path() + "\n");
        text.lines()
                .forEach(line -> diff.append('+').append(Marker.masked(line)).append('\n'));
        return diff.toString();
    }

    private static Step create(String kind, String key, String name, Map<String, String> attributes) {
        var resource = resource(kind, key, name, attributes);
        return new Step.OfResource(
                "resource:" + resource.id(),
                List.of(),
                Change.CREATE,
                "not there",
                Optional.of(resource),
                Optional.empty(),
                new TreeMap<>(attributes)
                        .entrySet().stream()
                                .map(entry -> new FieldChange(
                                        entry.getKey(), Optional.empty(), Optional.of(entry.getValue())))
                                .toList());
    }

    private static Resource resource(String kind, String key, String name, Map<String, String> attributes) {
        var all = new TreeMap<String, Resource.Attribute>();
        attributes.forEach(
                (attribute, value) -> all.put(attribute, new Resource.Attribute(value, Resource.Mutability.IN_PLACE)));
        return new Resource(new ResourceId(kind, key), name, all, List.of());
    }

    private static ObservedResource seen(String kind, String key, String name) {
        return new ObservedResource(
                new ResourceId(kind, key),
                name,
                new TreeMap<>(),
                new Tags(new Name("lab"), "lineage", Optional.empty()),
                "etag",
                ObservedResource.Condition.READY,
                List.of());
    }
}
