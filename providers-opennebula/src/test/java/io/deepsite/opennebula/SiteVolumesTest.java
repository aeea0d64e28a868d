package io.deepsite.opennebula;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.Design;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Requirements.Group;
import io.deepsite.provider.Requirements.SharedVolume;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.provider.Tags.Scope.OneSite;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Volumes of the site that one machine mounts and serves; that the next site takes them up is in the contract of providers. */
final class SiteVolumesTest {
    private static final String MACHINES =
            "{head: {image: debian-12, memory: 512MiB}," + " other: {image: debian-12, memory: 512MiB}}";
    private static final ResourceId DATA = new ResourceId(Kinds.VOLUME, "data");
    private static final Tags TAGS =
            new Tags(new Name("lab"), "11111111-2222-3333-4444-555555555555", Optional.empty());

    @TempDir
    private Path folder;

    private StandIn front;

    @BeforeEach
    void start() {
        front = StandIn.start("6.8.3", folder.resolve("state"));
    }

    @AfterEach
    void end() {
        front.close();
    }

    @Test
    void isAPersistentImageOfTheMachineThatServesIt() {
        var design = compile("{}", on("head", "10GiB"));

        assertThat(resource(design, DATA).name()).isEqualTo("ds-lab-data");
        assertThat(resource(design, DATA).values())
                .containsEntry("size", "10240MiB")
                .containsEntry("kept-for", "lab");
        assertThat(machine(design, "head").values()).containsEntry("volume.data", "data");
        assertThat(machine(design, "other").values()).doesNotContainKey("volume.data");
        create(design);
        assertThat(front.cloud().named("image", "ds-lab-data").fields).containsEntry("PERSISTENT", "1");
    }

    @Test
    void severalAreAttachedToAMachineThatRuns() {
        var before = compile("{}", Requirements.NONE);
        create(before);
        var both = compile("{}", on("head", "10GiB", "20GiB"));
        both.resources().stream()
                .filter(resource -> resource.id().kind().equals(Kinds.VOLUME))
                .forEach(this::create);

        update(machine(both, "head"));

        assertThat(seen("head").attributes()).isEqualTo(machine(both, "head").values());
        update(machine(before, "head"));
        assertThat(seen("head").attributes()).isEqualTo(machine(before, "head").values());
    }

    @Test
    void movesToTheMachineThatServesItNow() {
        create(compile("{}", on("head", "10GiB")));
        var moved = compile("{}", on("other", "10GiB"));

        update(machine(moved, "head"));
        update(machine(moved, "other"));

        assertThat(seen("other").attributes()).containsEntry("volume.data", "data");
        assertThat(seen("head").attributes()).doesNotContainKey("volume.data");
    }

    @Test
    void grows() {
        create(compile("{}", on("head", "10GiB")));
        var larger = compile("{}", on("head", "20GiB"));

        update(resource(larger, DATA));

        assertThat(owned().get(DATA).attributes())
                .isEqualTo(resource(larger, DATA).values());
        assertThat(front.cloud().named("image", "ds-lab-data").fields).containsEntry("SIZE", "20480");
    }

    @Test
    void refusesWhatWouldLoseDataOrCouldNotBeTold() {
        create(compile("{}", on("head", "10GiB")));
        says("machines/DS1436-shrinks", "{}", on("head", "5GiB"));
        says("machines/DS1384-datastore", "{datastore: default}", on("head", "10GiB"));
        says("machines/DS1437-alike", "{groups: {head: {volumes: {scratch: {size: 10GiB}}}}}", on("head", "10GiB"));
        says("machines/DS1210-volume", "{groups: {head: {volumes: {data: {size: 1GiB}}}}}", on("head", "10GiB"));
        var left = owned().get(DATA);
        provider().delete(seen("head"), Call.QUIET);
        provider().release(left, Call.QUIET);
        says("machines/DS1436-left", "{}", on("head", "20GiB"));
    }

    private void says(String name, String opennebula, Requirements asked) {
        ErrorText.says(name, () -> compile(opennebula, asked));
    }

    private static Requirements on(String group, String... sizes) {
        var volumes = new ArrayList<SharedVolume>();
        for (var size : sizes) {
            var name = volumes.isEmpty() ? "data" : "more";
            volumes.add(new SharedVolume(name, "/" + name, Optional.of(Size.parse(size)), true));
        }
        return new Requirements(
                Map.of(new Name(group), new Group(false, volumes, List.of(), 1, Optional.empty())), List.of());
    }

    private static Site site(String opennebula) {
        return Fronts.site(opennebula, MACHINES);
    }

    private OpenNebulaProvider provider() {
        return Fronts.provider(front, site("{}"));
    }

    private Design compile(String opennebula, Requirements asked) {
        var site = site(opennebula);
        return Fronts.provider(front, site).survey(new OneSite(site.name())).compile(site, asked);
    }

    private void create(Design design) {
        design.resources().stream()
                .sorted(Comparator.comparingInt((Resource resource) ->
                                Kinds.removal(resource.id().kind()))
                        .reversed())
                .forEach(this::create);
    }

    private void create(Resource resource) {
        provider().create(resource, TAGS, Boot.NONE, Call.QUIET);
    }

    private void update(Resource desired) {
        provider().update(owned().get(desired.id()), desired, Call.QUIET);
    }

    private ObservedResource seen(String machine) {
        return owned().get(new ResourceId(ResourceId.MACHINE, machine));
    }

    private Map<ResourceId, ObservedResource> owned() {
        return provider().survey(new OneSite(TAGS.site())).owned().stream()
                .collect(Collectors.toMap(ObservedResource::id, seen -> seen));
    }

    private static Resource machine(Design design, String name) {
        return resource(design, new ResourceId(ResourceId.MACHINE, name));
    }

    private static Resource resource(Design design, ResourceId id) {
        return design.resources().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
