package io.deepsite.provider;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.site.ImageName;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A back-end in memory: one network, shared volumes, machines with fixed addresses. Counts what it is asked, and fails
 * where a test tells it to. Several may share one {@link Cloud}, as two runs of deepsite share one cloud. Thread-safe.
 */
public final class FakeProvider implements Provider {
    public static final String KIND_NETWORK = "network";
    public static final String KIND_VOLUME = "volume";

    /** What is there: survives the provider that made it. */
    public static final class Cloud {
        private final Map<String, Thing> things = new TreeMap<>();
        private final Map<String, List<String>> users = new TreeMap<>();
        private final SortedMap<String, String> baked = new TreeMap<>();
        private long changes;

        /** Baked images by name, with the machine that each was made of. */
        public synchronized SortedMap<String, String> baked() {
            return new TreeMap<>(baked);
        }

        /** Something that a person made by hand: it has a name and no tags of ours. */
        public synchronized void addForeign(String kind, String name) {
            things.put(
                    kind + "/" + name,
                    new Thing(
                            new ResourceId(kind, name),
                            name,
                            new TreeMap<>(),
                            Optional.empty(),
                            Condition.READY,
                            Boot.NONE,
                            ++changes));
        }

        /** Somebody copies it, tags and all. */
        public synchronized void copy(String kind, String name, String copy) {
            var thing = get(kind, name).orElseThrow();
            put(new Thing(
                    thing.id(), copy, thing.attributes(), thing.tags(), thing.condition(), thing.boot(), ++changes));
        }

        /** Somebody else uses it from now on. */
        public synchronized void use(String kind, String name, String user) {
            users.put(kind + "/" + name, List.of(user));
        }

        /** Something goes behind everybody's back. */
        public synchronized void remove(String kind, String name) {
            things.remove(kind + "/" + name);
        }

        /** In words; empty text where it has none, nothing where there is no such thing. */
        public synchronized Optional<String> tags(String kind, String name) {
            return get(kind, name)
                    .map(thing ->
                            thing.tags().map(tags -> thing.id() + " " + tags).orElse(""));
        }

        /** Changes an attribute behind everybody's back. */
        public synchronized void tamper(String kind, String name, String attribute, String value) {
            var thing = get(kind, name).orElseThrow();
            var attributes = new TreeMap<>(thing.attributes());
            attributes.put(attribute, value);
            put(thing.with(attributes, thing.condition(), ++changes));
        }

        public synchronized void setCondition(String kind, String name, Condition condition) {
            var thing = get(kind, name).orElseThrow();
            put(thing.with(thing.attributes(), condition, ++changes));
        }

        /** Names on the back-end, such as {@code instance/demo-head}, in order. */
        public synchronized List<String> names() {
            return List.copyOf(things.keySet());
        }

        /** All that is there. */
        @Override
        public synchronized String toString() {
            return things.toString() + users + baked;
        }

        /** @return brings back what is there now */
        public synchronized Runnable keep() {
            var keptThings = Map.copyOf(things);
            var keptUsers = Map.copyOf(users);
            var keptBaked = Map.copyOf(baked);
            return () -> set(keptThings, keptUsers, keptBaked);
        }

        private synchronized void set(
                Map<String, Thing> nextThings, Map<String, List<String>> nextUsers, Map<String, String> nextBaked) {
            baked.clear();
            baked.putAll(nextBaked);
            things.clear();
            things.putAll(nextThings);
            users.clear();
            users.putAll(nextUsers);
        }

        /** The boot files that a machine got when it was made. */
        public synchronized Boot boot(String name) {
            return get(ResourceId.MACHINE, name).orElseThrow().boot();
        }

        private Optional<Thing> get(String kind, String name) {
            return Optional.ofNullable(things.get(kind + "/" + name));
        }

        private void put(Thing thing) {
            things.put(thing.id().kind() + "/" + thing.name(), thing);
        }
    }

    private record Thing(
            ResourceId id,
            String name,
            SortedMap<String, String> attributes,
            Optional<Tags> tags,
            Condition condition,
            Boot boot,
            long version) {
        Thing with(SortedMap<String, String> newAttributes, Condition newCondition, long newVersion) {
            return new Thing(id, name, newAttributes, tags, newCondition, boot, newVersion);
        }

        Thing retagged(Tags newTags) {
            return new Thing(id, name, attributes, Optional.of(newTags), condition, boot, version);
        }

        Thing released() {
            return new Thing(id, name, attributes, Optional.empty(), condition, boot, version);
        }

        /** Files of the same path are replaced, the others stay. */
        Thing holding(Boot newBoot) {
            var files = new TreeMap<String, Boot.BootFile>();
            boot.files().forEach(file -> files.put(file.path(), file));
            newBoot.files().forEach(file -> files.put(file.path(), file));
            return new Thing(id, name, attributes, tags, condition, new Boot(List.copyOf(files.values())), version);
        }

        boolean belongs(ResourceId otherId, Tags other) {
            return id.equals(otherId)
                    && tags.map(mine -> mine.site().equals(other.site())
                                    && mine.lineage().equals(other.lineage()))
                            .orElse(false);
        }
    }

    private final Cloud cloud;
    private final List<String> calls = new ArrayList<>();
    private final Map<String, Failure> failures = new HashMap<>();
    private final Map<String, Failure> failuresHalfway = new HashMap<>();
    private Consumer<String> beforeEach = _ -> {};
    private boolean bootReadable;
    private String withoutAddress = "";
    private String passing = "";
    private boolean withoutDisks;

    public FakeProvider() {
        this(new Cloud());
    }

    public FakeProvider(Cloud cloud) {
        this.cloud = cloud;
    }

    public Cloud cloud() {
        return cloud;
    }

    /** Every call so far: {@code survey}, {@code create instance/head}, {@code update …}, {@code delete …}, {@code retag …}. */
    public synchronized List<String> calls() {
        return List.copyOf(calls);
    }

    /** Those that change something. */
    public synchronized List<String> changes() {
        return calls.stream().filter(call -> !call.equals("survey")).toList();
    }

    public synchronized void forgetCalls() {
        calls.clear();
    }

    /** The next such call ({@code create instance/head}) fails before it does anything. */
    public synchronized void failNext(String call, Failure failure) {
        failures.put(call, failure);
    }

    /** The next such create leaves a half-made thing and fails. */
    public synchronized void failHalfway(String call, Failure failure) {
        failuresHalfway.put(call, failure);
    }

    /** Runs at the begin of each call, on its thread: to wait, count, or throw. */
    public synchronized void beforeEach(Consumer<String> hook) {
        beforeEach = hook;
    }

    /** From now on others can read the boot files. */
    public synchronized void showBoot() {
        bootReadable = true;
    }

    /** From now on the machine has no address yet. */
    public synchronized void tellNoAddress(String machine) {
        withoutAddress = machine;
    }

    /** From now on SSH reaches the other machines only through this one. */
    public synchronized void passThrough(String machine) {
        passing = machine;
    }

    /** From now on no machine has a disk of which an image could be made. */
    public synchronized void giveNoDisks() {
        withoutDisks = true;
    }

    @Override
    public synchronized Capabilities capabilities() {
        return new Capabilities(true, true, false, bootReadable, false);
    }

    @Override
    public Survey survey(Tags.Scope scope) {
        begin("survey");
        synchronized (cloud) {
            return new Snapshot(
                    List.copyOf(cloud.things.values()),
                    Map.copyOf(cloud.users),
                    new TreeSet<>(cloud.baked.keySet()),
                    scope,
                    withoutAddress,
                    passing,
                    withoutDisks);
        }
    }

    @Override
    public void create(Resource desired, Tags tags, Boot boot, Call call) {
        var name = "create " + desired.id();
        begin(name);
        if (call.cancelled()) {
            throw failure(Code.CANCELLED, "The call was cancelled.");
        }
        call.progress("creating");
        synchronized (cloud) {
            var existing = cloud.get(desired.id().kind(), desired.name());
            if (existing.isPresent()) {
                requireOurs(existing.get(), desired.id(), tags);
                if (existing.get().condition() == Condition.READY) {
                    return;
                }
            }
            desired.bakedImage()
                    .filter(image -> !cloud.baked.containsKey(image))
                    .ifPresent(image -> {
                        throw failure(Code.PROVIDER_REFUSED, "There is no image " + image + ".");
                    });
            var halfway = take(failuresHalfway, name);
            cloud.put(new Thing(
                    desired.id(),
                    desired.name(),
                    new TreeMap<>(desired.lastingValues()),
                    Optional.of(tags),
                    halfway.isPresent() ? Condition.HALF_MADE : Condition.READY,
                    boot,
                    ++cloud.changes));
            halfway.ifPresent(failure -> {
                throw failure;
            });
        }
    }

    @Override
    public void update(ObservedResource seen, Resource desired, Call call) {
        begin("update " + seen.id());
        synchronized (cloud) {
            var thing = cloud.get(seen.id().kind(), seen.name())
                    .orElseThrow(() -> failure(Code.PROVIDER_REFUSED, seen.name() + " is gone."));
            requireOurs(thing, seen.id(), seen.tags());
            cloud.put(thing.with(new TreeMap<>(desired.lastingValues()), Condition.READY, ++cloud.changes));
        }
    }

    @Override
    public void delete(ObservedResource seen, Call call) {
        begin("delete " + seen.id());
        synchronized (cloud) {
            var thing = cloud.get(seen.id().kind(), seen.name());
            if (thing.isPresent()) {
                requireOurs(thing.get(), seen.id(), seen.tags());
                cloud.things.remove(seen.id().kind() + "/" + seen.name());
            }
        }
    }

    @Override
    public void release(ObservedResource seen, Call call) {
        begin("release " + seen.id());
        synchronized (cloud) {
            cloud.get(seen.id().kind(), seen.name()).ifPresent(thing -> {
                requireOurs(thing, seen.id(), seen.tags());
                cloud.put(thing.released());
            });
        }
    }

    @Override
    public void retag(ObservedResource seen, Optional<Tags.Lease> lease, Call call) {
        begin("retag " + seen.id());
        synchronized (cloud) {
            cloud.get(seen.id().kind(), seen.name()).ifPresent(thing -> {
                requireOurs(thing, seen.id(), seen.tags());
                var tags = thing.tags().orElseThrow();
                cloud.put(thing.retagged(tags.with(lease)));
            });
        }
    }

    @Override
    public void place(ObservedResource machine, Boot boot, Call call) {
        begin("place " + machine.id());
        synchronized (cloud) {
            var thing = cloud.get(machine.id().kind(), machine.name())
                    .orElseThrow(() -> failure(Code.PROVIDER_REFUSED, machine.name() + " is gone."));
            requireOurs(thing, machine.id(), machine.tags());
            cloud.put(thing.holding(boot));
        }
    }

    @Override
    public Optional<ImageStore> images() {
        return Optional.of(new Images());
    }

    private final class Images implements ImageStore {
        @Override
        public List<StoredImage> images() {
            return cloud.baked().entrySet().stream()
                    .map(image -> new StoredImage(
                            List.of(image.getKey()), image.getKey(), 1, "of " + image.getValue(), Optional.empty()))
                    .toList();
        }

        @Override
        public void publish(ObservedResource machine, String name, String description, Call call) {
            begin("publish " + machine.id());
            synchronized (cloud) {
                var thing = cloud.get(machine.id().kind(), machine.name())
                        .orElseThrow(() -> failure(Code.PROVIDER_REFUSED, machine.name() + " is gone."));
                requireOurs(thing, machine.id(), machine.tags());
                cloud.put(thing.with(thing.attributes(), Condition.STOPPED, ++cloud.changes));
                cloud.baked.putIfAbsent(name, machine.name());
            }
        }

        @Override
        public void delete(ImageName image, Call call) {
            begin("delete image " + image);
            synchronized (cloud) {
                cloud.baked.remove(image.value());
            }
        }
    }

    @Override
    public String consoleLog(String machine, Name site) {
        return "";
    }

    @Override
    public void close() {}

    private void begin(String call) {
        Consumer<String> hook;
        Optional<Failure> failure;
        synchronized (this) {
            calls.add(call);
            hook = beforeEach;
            failure = take(failures, call);
        }
        hook.accept(call);
        failure.ifPresent(fault -> {
            throw fault;
        });
    }

    private synchronized Optional<Failure> take(Map<String, Failure> from, String call) {
        return Optional.ofNullable(from.remove(call));
    }

    private static void requireOurs(Thing thing, ResourceId id, Tags tags) {
        if (!thing.belongs(id, tags)) {
            throw failure(Code.NAME_TAKEN, thing.name() + " is not ours.");
        }
    }

    private static Failure failure(Code code, String why) {
        return new Failure(Diagnostic.error(code, why, ""));
    }

    private record Snapshot(
            List<Thing> things,
            Map<String, List<String>> users,
            SortedSet<String> bakedImages,
            Tags.Scope scope,
            String withoutAddress,
            String passing,
            boolean withoutDisks)
            implements Survey {
        @Override
        public BackEnd backEnd() {
            return new BackEnd("memory", "a provider in memory");
        }

        @Override
        public Optional<String> imageOf(Resource machine) {
            return Optional.ofNullable(machine.values().get("image")).filter(_ -> !withoutDisks);
        }

        @Override
        public List<ObservedResource> owned() {
            return things.stream()
                    .filter(thing ->
                            thing.tags().filter(tags -> tags.within(scope)).isPresent())
                    .map(thing -> new ObservedResource(
                            thing.id(),
                            thing.name(),
                            thing.attributes(),
                            thing.tags().orElseThrow(),
                            String.valueOf(thing.version()),
                            thing.condition(),
                            users.getOrDefault(thing.id().kind() + "/" + thing.name(), List.of())))
                    .sorted((one, other) -> one.id().compareTo(other.id()))
                    .toList();
        }

        @Override
        public Design compile(Site site, Requirements requirements) {
            var resources = new LinkedHashMap<ResourceId, Resource>();
            var machines = new ArrayList<Machine>();
            var network = new ResourceId(KIND_NETWORK, "net");
            add(
                    resources,
                    site,
                    network,
                    new TreeMap<>(Map.of("subnet", attribute("10.0.0.1/16", Mutability.REPLACE))),
                    List.of());
            int number = 1;
            for (var group : site.machines().entrySet()) {
                for (var name : site.machineNames(group.getKey())) {
                    number++;
                    var dependsOn = new ArrayList<>(List.of(network));
                    var attributes = attributes(group.getValue(), "10.0." + number / 250 + "." + number % 250);
                    for (var volume : requirements.of(group.getKey()).volumes()) {
                        var id = new ResourceId(KIND_VOLUME, volume.name());
                        add(resources, site, id, new TreeMap<>(), List.of());
                        dependsOn.add(id);
                        attributes.put("volume." + volume.name(), attribute(volume.path(), Mutability.RESTART));
                    }
                    var id = new ResourceId(ResourceId.MACHINE, name);
                    var via = Optional.of(passing).filter(hop -> !hop.isEmpty() && !hop.equals(name));
                    via.ifPresent(hop -> dependsOn.add(new ResourceId(ResourceId.MACHINE, hop)));
                    add(resources, site, id, attributes, dependsOn);
                    var machine = machine(site, group.getKey(), group.getValue(), id, attributes, via);
                    machines.add(name.equals(withoutAddress) ? Sites.withoutAddress(machine) : machine);
                }
            }
            return new Design(List.copyOf(resources.values()), machines);
        }

        private void add(
                Map<ResourceId, Resource> resources,
                Site site,
                ResourceId id,
                SortedMap<String, Attribute> attributes,
                List<ResourceId> dependsOn) {
            var name = site.name() + "-" + id.key();
            var resource = new Resource(id, name, attributes, dependsOn);
            things.stream()
                    .filter(thing ->
                            thing.id().kind().equals(id.kind()) && thing.name().equals(name))
                    .filter(thing -> thing.tags()
                            .filter(tags -> tags.site().equals(site.name()))
                            .isEmpty())
                    .findFirst()
                    .ifPresent(thing -> {
                        throw failure(Code.NAME_TAKEN, name + " exists and is not ours.");
                    });
            resources.putIfAbsent(id, resource);
        }

        private static SortedMap<String, Attribute> attributes(MachineGroup group, String address) {
            var attributes = new TreeMap<String, Attribute>();
            attributes.put(
                    "image", attribute(group.image().map(Object::toString).orElse("none"), Mutability.REPLACE));
            attributes.put("cpus", attribute(String.valueOf(group.cpus()), Mutability.IN_PLACE));
            attributes.put("memory", attribute(group.memory().toString(), Mutability.IN_PLACE));
            attributes.put("address", attribute(address, Mutability.RESTART));
            if (!group.gpus().isEmpty()) {
                attributes.put("gpus", attribute(group.gpus().toString(), Mutability.RESTART));
            }
            return attributes;
        }

        private static Attribute attribute(String value, Mutability change) {
            return new Attribute(value, change);
        }

        private static Machine machine(
                Site site,
                Name group,
                MachineGroup of,
                ResourceId id,
                SortedMap<String, Attribute> attributes,
                Optional<String> via) {
            return new Machine(
                    id.key(),
                    group,
                    Optional.of(id),
                    site.provider().provider(),
                    new Machine.Specs(of.cpus(), of.memory().mebibytes(), true, List.of()),
                    new Machine.Ssh(
                            Optional.ofNullable(attributes.get("address")).map(Attribute::value),
                            site.ssh().port(),
                            site.ssh().user(),
                            Optional.empty(),
                            via,
                            Optional.empty()));
        }

        @Override
        public List<String> describe() {
            return List.of("a provider in memory, " + things.size() + " things");
        }
    }
}
