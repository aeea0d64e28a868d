package io.deepsite.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot.BootFile;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.Requirements.Group;
import io.deepsite.provider.Requirements.SharedVolume;
import io.deepsite.provider.Tags.Scope.AllSites;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.ImageName;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every provider that makes machines promises. Subclasses open one and say what a machine is made of there. */
public abstract class ProviderContractTest {
    private static final String LINEAGE = "11111111-2222-3333-4444-555555555555";
    private static final long FENCE = 41;
    private static final BootFile KEY = new BootFile("/etc/ssh/ssh_host_ed25519_key", 0600, "not a key\n");
    /** A public key whose private half nobody has. */
    private static final BootFile LOGIN = new BootFile(
            Boot.LOGIN_KEYS,
            0600,
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g of-a-test\n");

    private static final Set<Class<?>> CLEANED = ConcurrentHashMap.newKeySet();

    private Provider provider;

    protected abstract Provider open();

    protected abstract ProviderSettings settings();

    /** An image that the back-end has. */
    protected abstract String image();

    /** Names of sites under test start so: leftovers show whose they are. */
    protected String sitePrefix() {
        return "it-ct";
    }

    /** Whether new files can be placed on a machine that exists; where not, it says so and changes nothing. */
    protected boolean placesFiles() {
        return true;
    }

    /** Whether images are made of machines; where not, it says so. */
    protected boolean bakesImages() {
        return false;
    }

    /** Whether a volume of the site can outlive it. */
    protected boolean keepsVolumes() {
        return false;
    }

    /** Content of a file of a machine; empty where the test cannot look inside. */
    protected Optional<String> readFile(String backEndName, String path) {
        return Optional.empty();
    }

    /** Kinds whose other users the provider reports, so that destroy releases them; empty: none. */
    protected Set<String> released() {
        return Set.of();
    }

    /** Everything that is built on a resource at the back-end, in the back-end's words; empty where it is gone. */
    protected Optional<String> standing(ObservedResource seen) {
        throw new UnsupportedOperationException("no kind is released");
    }

    /** Deletes by hand what was let go of. */
    protected void removeReleased(ObservedResource seen) {
        throw new UnsupportedOperationException("no kind is released");
    }

    /** Leaves a machine as a create does that was killed in the middle: with its tags, not finished. */
    protected abstract void makeHalf(Resource machine, Tags tags);

    /** Makes something with the machine's name that is not ours. */
    protected abstract void makeForeign(Resource machine);

    protected abstract void removeForeign(Resource machine);

    @BeforeEach
    void openProvider() {
        provider = open();
        // Deletes what a killed run left; on a real back-end this takes longer than some tests.
        if (CLEANED.add(getClass())) {
            cleanUp();
        }
    }

    @AfterEach
    void closeProvider() {
        cleanUp();
        provider.close();
    }

    private void cleanUp() {
        var ours = Set.of(new Name(sitePrefix() + "-a"), new Name(sitePrefix() + "-b"));
        deleteAll(new AllSites(), seen -> ours.contains(seen.tags().site()));
    }

    @Test
    void machineOfABakedImageIsSeenLikeOneOfItsImage() {
        var name = "deepsite-c0ffee00c0ffee00";
        var first = site("a", 1, "256MiB");
        createAll(compile(first), tags(first));
        var machine = owned(first).stream()
                .filter(seen -> seen.id().kind().equals(ResourceId.MACHINE))
                .findFirst()
                .orElseThrow();
        if (!bakesImages()) {
            provider.images()
                    .ifPresent(store -> assertThatThrownBy(() -> store.publish(machine, name, "of a test", Call.QUIET))
                            .isInstanceOf(Failure.class)
                            .hasMessageContaining(Code.NOT_WITH_PROVIDER.id()));
            assertThat(provider.survey(new OneSite(first.name())).bakedImages()).isEmpty();
            return;
        }
        var images = provider.images().orElseThrow();
        var second = site("b", 1, "256MiB");
        try {
            images.publish(machine, name, "of a test", Call.QUIET);
            images.publish(machine, name, "of a test", Call.QUIET);

            assertThat(provider.survey(new OneSite(second.name())).bakedImages())
                    .contains(name);
            var design = compile(second);
            createAll(
                    new Design(
                            design.resources().stream()
                                    .map(each -> each.isMachine() ? each.fromBaked(name) : each)
                                    .toList(),
                            design.machines()),
                    tags(second));

            assertThat(owned(second))
                    .allSatisfy(seen -> assertThat(seen.condition()).isEqualTo(Condition.READY));
            assertThat(attributes(owned(second))).isEqualTo(attributes(design));
            assertThat(attributes(compile(second))).isEqualTo(attributes(design));
        } finally {
            // Some back-ends delete no image while machines use it.
            deleteAll(second.name());
            images.delete(new ImageName(name), Call.QUIET);
        }
    }

    private static Map<ResourceId, Map<String, String>> attributes(List<ObservedResource> owned) {
        return owned.stream().collect(Collectors.toMap(ObservedResource::id, seen -> Map.copyOf(seen.attributes())));
    }

    private static Map<ResourceId, Map<String, String>> attributes(Design design) {
        return design.resources().stream().collect(Collectors.toMap(Resource::id, Resource::lastingValues));
    }

    @Test
    void makesWhatItDesignedAndSeesItAsDesired() {
        var site = site("a", 2, "256MiB");
        var design = compile(site);

        createAll(design, tags(site));

        var owned = owned(site);
        assertThat(owned).extracting(ObservedResource::id).containsExactlyElementsOf(sortedIds(design));
        assertThat(owned).extracting(ObservedResource::condition).containsOnly(Condition.READY);
        assertThat(owned).extracting(ObservedResource::tags).containsOnly(tags(site));
        for (var resource : design.resources()) {
            var seen = seen(owned, resource.id());
            assertThat(seen.name()).isEqualTo(resource.name());
            assertThat(seen.attributes()).isEqualTo(resource.values());
        }
        assertThat(compile(site))
                .as("what is made stays as it is, addresses included")
                .isEqualTo(design);
        var head = machine(design, "head");
        assertThat(readFile(head.name(), KEY.path())).isIn(Optional.empty(), Optional.of(KEY.content()));
        assertThat(readFile(head.name(), "/etc/hostname").map(String::strip))
                .isIn(Optional.empty(), Optional.of("head"));
    }

    @Test
    void designIsPure() {
        var site = site("a", 2, "256MiB");
        var survey = provider.survey(new OneSite(site.name()));

        var first = survey.compile(site, requirements());

        assertThat(survey.compile(site, requirements())).isEqualTo(first);
        assertThat(first.machines()).extracting(Machine::name).containsExactly("head", "node-1", "node-2");
        assertThat(owned(site)).isEmpty();
    }

    /** The state is compared with it in every later run. */
    @Test
    void tellsWhichBackEndItIsEachTimeInTheSameWords() {
        var scope = new OneSite(site("a", 1, "256MiB").name());

        var first = provider.survey(scope).backEnd();

        try (var again = open()) {
            assertThat(again.survey(scope).backEnd()).isEqualTo(first);
        }
        assertThat(first.identity()).isNotBlank();
    }

    @Test
    void createAgainChangesNothing() {
        var site = site("a", 0, "256MiB");
        var design = compile(site);
        createAll(design, tags(site));
        var before = owned(site);

        createAll(design, tags(site));

        assertThat(owned(site)).isEqualTo(before);
    }

    @Test
    void createFinishesWhatWasHalfMade() {
        var site = site("a", 0, "256MiB");
        var design = compile(site);
        design.resources().stream()
                .filter(resource -> !resource.isMachine())
                .forEach(resource -> create(resource, tags(site)));
        makeHalf(machine(design, "head"), tags(site));
        assertThat(seen(owned(site), machine(design, "head").id()).condition()).isEqualTo(Condition.HALF_MADE);

        create(machine(design, "head"), tags(site));

        assertThat(seen(owned(site), machine(design, "head").id()).condition()).isEqualTo(Condition.READY);
        assertThat(readFile(machine(design, "head").name(), KEY.path()))
                .isIn(Optional.empty(), Optional.of(KEY.content()));
    }

    @Test
    void updatesInPlace() {
        var site = site("a", 0, "256MiB");
        createAll(compile(site), tags(site));
        var before = owned(site);
        var larger = compile(site("a", 0, "320MiB"));
        var head = machine(larger, "head");

        provider.update(seen(before, head.id()), head, Call.QUIET);

        var after = seen(owned(site), head.id());
        assertThat(after.attributes()).isEqualTo(head.values());
        assertThat(after.condition()).isEqualTo(Condition.READY);
        assertThat(after.version()).isNotEqualTo(seen(before, head.id()).version());
    }

    @Test
    void anotherLeaseIsSeenAndMovesNothingElse() {
        var site = site("a", 0, "256MiB");
        createAll(compile(site), tags(site));
        var before = owned(site);
        var begin = Instant.parse("2031-01-01T03:04:05Z");
        var lease = new Tags.Lease(Instant.parse("2031-01-02T03:04:05Z"), Optional.of(begin));

        before.forEach(seen -> provider.retag(seen, Optional.of(lease), Call.QUIET));

        var extended = owned(site);
        assertThat(seen(extended, machine(compile(site), "head").id()).tags().fence())
                .as("who made it")
                .contains(FENCE);
        assertThat(extended).extracting(seen -> seen.tags().lease()).containsOnly(Optional.of(lease));
        assertThat(extended)
                .extracting(ObservedResource::version)
                .as("an extended lease makes no plan stale")
                .containsExactlyElementsOf(
                        before.stream().map(ObservedResource::version).toList());
        extended.forEach(seen -> provider.retag(seen, Optional.empty(), Call.QUIET));
        assertThat(owned(site)).isEqualTo(before);
    }

    @Test
    void whatIsNotOursIsRefusedAndUntouched() {
        var site = site("a", 0, "256MiB");
        var design = compile(site);
        var head = machine(design, "head");
        makeForeign(head);
        try {
            assertRefused(Code.NAME_TAKEN, () -> compile(site));
            assertRefused(Code.NAME_TAKEN, () -> createAll(design, tags(site)));
            assertThat(owned(site)).noneMatch(seen -> seen.id().equals(head.id()));
            assertRefused(Code.NAME_TAKEN, () -> compile(site));
        } finally {
            removeForeign(head);
        }
    }

    @Test
    void sameSiteOfAnotherStateIsRefused() {
        var site = site("a", 0, "256MiB");
        var design = compile(site);
        createAll(design, tags(site));
        var seen = seen(owned(site), machine(design, "head").id());
        var asStranger = ofStranger(seen);

        assertRefused(Code.NAME_TAKEN, () -> create(machine(design, "head"), asStranger.tags()));
        assertRefused(Code.NAME_TAKEN, () -> provider.delete(asStranger, Call.QUIET));

        assertThat(owned(site)).contains(seen);
    }

    @Test
    void placesFilesOnAMachineThatRunsAndIsOurs() {
        var site = site("a", 0, "256MiB");
        var design = compile(site);
        createAll(design, tags(site));
        var seen = seen(owned(site), machine(design, "head").id());
        var key = new BootFile(
                KEY.path(), placesFiles() ? 0600 : KEY.mode(), placesFiles() ? "another\n" : KEY.content());

        provider.place(seen, new Boot(List.of(key)), Call.QUIET);
        assertRefused(Code.NAME_TAKEN, () -> provider.place(ofStranger(seen), new Boot(List.of(KEY)), Call.QUIET));

        assertThat(readFile(seen.name(), key.path())).isIn(Optional.empty(), Optional.of(key.content()));
        assertThat(owned(site)).contains(seen);
    }

    @Test
    void deleteLeavesNothingAndMayBeRepeated() {
        var site = site("a", 1, "256MiB");
        createAll(compile(site), tags(site));
        var owned = owned(site);

        deleteAll(site.name());
        owned.forEach(seen -> provider.delete(seen, Call.QUIET));

        assertThat(owned(site)).isEmpty();
    }

    /** A destroyed site of another clone may be made again: nothing says any more that it is there. */
    @Test
    void whatIsReleasedStaysWithoutATagOfTheSite() {
        var site = site("a", 0, "256MiB");
        createAll(compile(site), tags(site));
        var begin = Instant.parse("2031-01-01T03:04:05Z");
        var lease = new Tags.Lease(Instant.parse("2031-01-02T03:04:05Z"), Optional.of(begin));
        owned(site).forEach(seen -> provider.retag(seen, Optional.of(lease), Call.QUIET));
        deleteAll(
                new OneSite(site.name()), seen -> !released().contains(seen.id().kind()));
        var left = owned(site);
        assertThat(left).extracting(seen -> seen.id().kind()).containsOnlyOnceElementsOf(released());
        try {
            for (var seen : left) {
                assertThat(standing(seen))
                        .hasValueSatisfying(text -> assertThat(text).contains(LINEAGE, "2031-01-02"));
                assertRefused(Code.NAME_TAKEN, () -> provider.release(ofStranger(seen), Call.QUIET));
            }
            assertThat(owned(site)).isEqualTo(left);

            left.forEach(seen -> provider.release(seen, Call.QUIET));

            assertThat(owned(site)).isEmpty();
            assertThat(left)
                    .allSatisfy(seen -> assertThat(standing(seen))
                            .hasValueSatisfying(text -> assertThat(text)
                                    .doesNotContain(
                                            LINEAGE, "2031-01-02", seen.id().toString())));
        } finally {
            left.forEach(this::removeReleased);
        }
        left.forEach(seen -> provider.release(seen, Call.QUIET));
    }

    @Test
    void aKeptVolumeGoesToTheNextSiteOfTheNameAndNoOther() {
        if (!keepsVolumes()) {
            return;
        }
        var site = site("a", 0, "256MiB");
        var kept = volumeOfHead(site, true);
        var id = volume(kept);
        createAll(kept, tags(site));
        assertThat(attributes(owned(site))).isEqualTo(attributes(kept));
        assertThat(seen(owned(site), id).usedBy()).containsExactly(ObservedResource.KEPT);

        deleteAll(site.name());
        var left = seen(owned(site), id);
        assertRefused(Code.NAME_TAKEN, () -> provider.release(ofStranger(left), Call.QUIET));
        provider.release(left, Call.QUIET);
        provider.release(left, Call.QUIET);

        assertThat(owned(site)).isEmpty();
        assertThat(resource(volumeOfHead(site("b", 0, "256MiB"), true), id).isTakenUp())
                .isFalse();
        var next = new Tags(site.name(), "22222222-2222-3333-4444-555555555555", Optional.empty());
        var taken = volumeOfHead(site, false);
        assertThat(resource(taken, id).isTakenUp())
                .as("also by a site that keeps it no longer")
                .isTrue();
        create(resource(taken, id), next);
        create(resource(taken, id), next);
        assertThat(owned(site)).singleElement().satisfies(seen -> {
            assertThat(seen.handle()).isEqualTo(left.handle());
            assertThat(seen.tags()).isEqualTo(next);
            assertThat(seen.usedBy()).isEmpty();
            assertThat(seen.attributes()).isEqualTo(resource(taken, id).lastingValues());
        });
        assertThat(volumeOfHead(site, false).resources())
                .filteredOn(resource -> resource.id().equals(id))
                .noneMatch(Resource::isTakenUp);
    }

    @Test
    void aVolumeOutlivesItsMachineAndMayBeKeptLater() {
        if (!keepsVolumes()) {
            return;
        }
        var site = site("a", 0, "256MiB");
        var design = volumeOfHead(site, false);
        createAll(design, tags(site));
        var before = seen(owned(site), volume(design));
        provider.delete(seen(owned(site), machine(design, "head").id()), Call.QUIET);

        create(machine(design, "head"), tags(site));
        provider.update(before, resource(volumeOfHead(site, true), volume(design)), Call.QUIET);

        var after = seen(owned(site), volume(design));
        assertThat(after.handle()).isEqualTo(before.handle());
        assertThat(after.usedBy()).containsExactly(ObservedResource.KEPT);
        assertThat(seen(owned(site), machine(design, "head").id()).attributes())
                .as("it is attached again")
                .isEqualTo(machine(design, "head").values());
        provider.update(after, resource(design, volume(design)), Call.QUIET);
        assertThat(attributes(owned(site))).isEqualTo(attributes(design));
    }

    @Test
    void aVolumeIsAttachedToAMachineThatRunsAndDetached() {
        if (!keepsVolumes()) {
            return;
        }
        var site = site("a", 0, "256MiB");
        var with = volumeOfHead(site, false);
        var without = withoutVolumes(site);
        createAll(without, tags(site));
        create(resource(with, volume(with)), tags(site));

        provider.update(seen(owned(site), machine(with, "head").id()), machine(with, "head"), Call.QUIET);
        assertThat(attributes(owned(site))).isEqualTo(attributes(with));

        provider.update(seen(owned(site), machine(with, "head").id()), machine(without, "head"), Call.QUIET);
        provider.delete(seen(owned(site), volume(with)), Call.QUIET);
        assertThat(attributes(owned(site))).isEqualTo(attributes(without));
    }

    @Test
    void surveyKeepsSitesApart() {
        var a = site("a", 0, "256MiB");
        var b = site("b", 0, "256MiB");
        createAll(compile(a), tags(a));
        createAll(compile(b), tags(b));

        assertThat(owned(a)).extracting(seen -> seen.tags().site()).containsOnly(a.name());
        assertThat(provider.survey(new AllSites()).owned())
                .extracting(seen -> seen.tags().site())
                .contains(a.name(), b.name());
        assertThat(owned(a).stream().filter(seen -> seen.id().kind().equals(ResourceId.MACHINE)))
                .hasSize(1);
    }

    @Test
    void cancelledCallEndsAsCancelled() {
        var site = site("a", 0, "256MiB");
        var design = compile(site);
        var cancelled = new Call() {
            @Override
            public void progress(String what) {}

            @Override
            public boolean cancelled() {
                return true;
            }
        };
        design.resources().stream()
                .filter(resource -> !resource.isMachine())
                .forEach(resource -> create(resource, tags(site)));

        assertRefused(
                Code.CANCELLED,
                () -> provider.create(machine(design, "head"), tags(site), new Boot(List.of(KEY)), cancelled));

        create(machine(design, "head"), tags(site));
        assertThat(seen(owned(site), machine(design, "head").id()).condition()).isEqualTo(Condition.READY);
    }

    // What tests of subclasses need too.

    protected final Provider provider() {
        return provider;
    }

    protected final Site site(String name, int nodes, String memory) {
        var groups = new LinkedHashMap<String, MachineGroup>();
        groups.put("head", Sites.single(image(), 1, memory));
        groups.put("node", Sites.many(image(), nodes, 1, memory));
        return Sites.site(sitePrefix() + "-" + name, settings(), groups);
    }

    protected static Requirements requirements() {
        var volumes = new Group(
                false,
                List.of(new SharedVolume("home", "/home", Optional.empty(), false)),
                List.of(),
                1,
                Optional.empty());
        return new Requirements(Map.of(new Name("head"), volumes, new Name("node"), volumes), List.of());
    }

    /** A design whose head mounts a volume of its own. */
    private Design volumeOfHead(Site site, boolean keep) {
        var data = new SharedVolume("data", "/data", Optional.of(Size.parse("1GiB")), keep);
        var head = new Group(false, List.of(data), List.of(), 1, Optional.empty());
        return compile(site, new Requirements(Map.of(new Name("head"), head), List.of()));
    }

    private Design withoutVolumes(Site site) {
        return compile(site, Requirements.NONE);
    }

    private Design compile(Site site, Requirements asked) {
        return provider.survey(new OneSite(site.name())).compile(site, asked);
    }

    private static ResourceId volume(Design design) {
        return design.resources().stream()
                .map(Resource::id)
                .filter(id -> id.kind().equals("volume"))
                .findFirst()
                .orElseThrow();
    }

    private static Resource resource(Design design, ResourceId id) {
        return design.resources().stream()
                .filter(resource -> resource.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    protected static Tags tags(Site site) {
        return new Tags(site.name(), LINEAGE, Optional.empty(), Optional.of(FENCE));
    }

    protected final Design compile(Site site) {
        return provider.survey(new OneSite(site.name())).compile(site, requirements());
    }

    protected final List<ObservedResource> owned(Site site) {
        return provider.survey(new OneSite(site.name())).owned();
    }

    protected final void createAll(Design design, Tags tags) {
        inOrder(design.resources()).forEach(resource -> create(resource, tags));
    }

    protected final void create(Resource resource, Tags tags) {
        provider.create(resource, tags, new Boot(List.of(resource.isMachine() ? KEY : LOGIN)), Call.QUIET);
    }

    protected final void deleteAll(Name site) {
        deleteAll(new OneSite(site), _ -> true);
    }

    private void deleteAll(Tags.Scope scope, Predicate<ObservedResource> which) {
        var owned = new ArrayList<>(
                provider.survey(scope).owned().stream().filter(which).toList());
        owned.removeIf(seen -> !seen.usedBy().isEmpty());
        owned.sort(Comparator.comparingInt(ObservedResource::removal));
        owned.forEach(seen -> provider.delete(seen, Call.QUIET));
    }

    protected static Resource machine(Design design, String name) {
        return resource(design, new ResourceId(ResourceId.MACHINE, name));
    }

    protected static ObservedResource seen(List<ObservedResource> owned, ResourceId id) {
        return owned.stream().filter(seen -> seen.id().equals(id)).findFirst().orElseThrow();
    }

    /** The same thing as a run of another state would name it. */
    private static ObservedResource ofStranger(ObservedResource seen) {
        var stranger = new Tags(seen.tags().site(), "99999999-0000-0000-0000-000000000000", Optional.empty());
        return new ObservedResource(
                seen.id(),
                seen.name(),
                seen.attributes(),
                stranger,
                seen.version(),
                seen.condition(),
                seen.usedBy(),
                seen.removal(),
                seen.handle());
    }

    protected static void assertRefused(Code code, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        Failure.class,
                        failure -> assertThat(failure.diagnostics())
                                .extracting(diagnostic -> diagnostic.code())
                                .contains(code));
    }

    private static List<ResourceId> sortedIds(Design design) {
        return design.resources().stream().map(Resource::id).sorted().toList();
    }

    private static List<Resource> inOrder(List<Resource> resources) {
        var ordered = new ArrayList<Resource>();
        Set<ResourceId> done = new HashSet<>();
        var known = resources.stream().map(Resource::id).collect(Collectors.toSet());
        while (ordered.size() < resources.size()) {
            for (var resource : resources) {
                boolean ready =
                        resource.dependsOn().stream().filter(known::contains).allMatch(done::contains);
                if (ready && done.add(resource.id())) {
                    ordered.add(resource);
                }
            }
        }
        return ordered;
    }
}
