package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.DiagnosticPrinter;
import io.deepsite.diag.Failure;
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
import io.deepsite.site.Size;
import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Volumes of the site that one machine mounts and serves. */
final class SiteVolumesTest {
    private static final String NETWORK = "network: {external: public}";
    private static final String HEAD = "{head: {image: debian-12, memory: 512MiB}}";
    private static final ResourceId DATA = new ResourceId(Kinds.VOLUME, "data");
    private static final Name LAB = new Name("lab");

    @Test
    void isMadeAndAttachedToTheMachineThatServesIt() {
        var design = compile("{" + NETWORK + ", groups: {head: {zone: west}}}", SiteVolumesTest::cinder, data("10GiB"));

        assertThat(volume(design).name()).isEqualTo("ds-lab-data");
        assertThat(volume(design).values()).isEqualTo(Map.of("size", "10GiB", "zone", "west", "kept-for", "lab"));
        assertThat(head(design).values()).containsEntry("volume.data", "data");
        assertThat(head(design).dependsOn()).contains(DATA);
    }

    @Test
    void isTakenUpByTheNextSiteOfTheName() {
        var left = volume(compile(usual(), tree -> kept(tree, 10, "lab volume/data"), data("20GiB")));

        assertThat(left.isTakenUp()).isTrue();
        assertThat(left.values()).containsEntry("size", "20GiB");
        assertThat(volume(compile(usual(), tree -> kept(tree, 10, "other volume/data"), data("20GiB")))
                        .isTakenUp())
                .isFalse();
        assertThat(volume(compile(usual(), tree -> kept(tree, 10, "lab volume/scratch"), data("20GiB")))
                        .isTakenUp())
                .isFalse();
    }

    @Test
    void whatIsLeftIsNoLongerTheSitesAndNeedsNoMoreOfTheQuota() {
        Consumer<ObjectNode> full = tree -> {
            kept(tree, 10, "lab volume/data");
            var quotas = tree.putObject("quotas");
            quotas.putArray("VOLUMES").add(1).add(1);
            quotas.putArray("GIGABYTES").add(12).add(10);
        };

        assertThat(new Observation(Recorded.empty(full), new OneSite(LAB)).owned())
                .isEmpty();
        assertThat(volume(compile(usual(), full, data("12GiB"))).isTakenUp()).isTrue();
        says("quota/DS2312-growing-volume", usual(), full, data("13GiB"));
    }

    @Test
    void hasAUserForWhomItStays() {
        var seen = new Observation(Recorded.empty(tree -> ours(tree, 10)), new OneSite(LAB))
                .owned().stream()
                        .filter(one -> one.id().equals(DATA))
                        .findFirst()
                        .orElseThrow();

        assertThat(seen.usedBy()).containsExactly(ObservedResource.KEPT);
        assertThat(seen.attributes()).isEqualTo(Map.of("size", "10GiB", "kept-for", "lab"));
    }

    @Test
    void refusesWhatWouldLoseDataOrCouldNotBeTold() {
        says("volumes/DS1436-shrinks", usual(), tree -> ours(tree, 20), data("10GiB"));
        says(
                "volumes/DS1384-zone",
                "{" + NETWORK + ", groups: {head: {zone: west}}}",
                tree -> kept(tree, 10, "lab volume/data"),
                data("10GiB"));
        says(
                "volumes/DS1437-alike",
                "{" + NETWORK + ", groups: {head: {volumes: {scratch: {size: 10GiB}}}}}",
                SiteVolumesTest::cinder,
                data("10GiB"));
        says(
                "volumes/DS1210-volume",
                "{" + NETWORK + ", groups: {head: {volumes: {data: {size: 1GiB}}}}}",
                SiteVolumesTest::cinder,
                data("10GiB"));
        says("volumes/DS1224-size", usual(), SiteVolumesTest::cinder, data("1500MiB"));
        says("services/DS2308-no-volumes-of-the-site", usual(), _ -> {}, data("10GiB"));
    }

    private static String usual() {
        return "{" + NETWORK + "}";
    }

    private static Requirements data(String size) {
        var data = new SharedVolume("data", "/data", Optional.of(Size.parse(size)), true);
        return new Requirements(
                Map.of(new Name("head"), new Group(false, List.of(data), List.of(), 1, Optional.empty())), List.of());
    }

    private static Design compile(String openstack, Consumer<ObjectNode> change, Requirements asked) {
        return Recorded.compile(Recorded.empty(change), Recorded.site(openstack, HEAD), asked);
    }

    private static void says(String name, String openstack, Consumer<ObjectNode> change, Requirements asked) {
        var failure = catchThrowableOfType(Failure.class, () -> compile(openstack, change, asked));

        assertThat(failure).isNotNull();
        assertThat(failure.diagnostics())
                .anySatisfy(fault -> assertThat(fault.code().id()).isEqualTo(Golden.code(name)));
        Golden.assertSame(
                Path.of("src/test/resources/golden/errors", name, "stderr.txt"),
                failure.diagnostics().stream().map(DiagnosticPrinter::print).collect(Collectors.joining("\n")));
    }

    private static void cinder(ObjectNode tree) {
        tree.withArray("volume_types").addObject().put("name", "ssd");
    }

    private static void kept(ObjectNode tree, int gibibytes, String keptFor) {
        volume(tree, gibibytes).put(Ownership.KEPT_FOR, keptFor);
    }

    private static void ours(ObjectNode tree, int gibibytes) {
        var tags = new Tags(LAB, "11111111-2222-3333-4444-555555555555", Optional.empty());
        volume(tree, gibibytes)
                .put(Ownership.KEY, new Ownership(DATA, tags).text())
                .put(Ownership.KEPT_FOR, Ownership.keptFor(LAB, DATA));
    }

    /** @return its metadata */
    private static ObjectNode volume(ObjectNode tree, int gibibytes) {
        cinder(tree);
        return tree.withArray("volumes")
                .addObject()
                .put("id", "5aa119a8-d25b-45a7-8d1b-88e127885e65")
                .put("name", "ds-lab-data")
                .put("status", "available")
                .put("size", gibibytes)
                .putObject("metadata");
    }

    private static Resource volume(Design design) {
        return resource(design, DATA);
    }

    private static Resource head(Design design) {
        return resource(design, new ResourceId(ResourceId.MACHINE, "head"));
    }

    private static Resource resource(Design design, ResourceId id) {
        return design.resources().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow();
    }
}
