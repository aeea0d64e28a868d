package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Requirements.Group;
import io.deepsite.provider.Requirements.SharedVolume;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.provider.Tags.Scope.AllSites;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Volumes whose contents outlive their site. */
final class KeptVolumeTest {
    private static final ResourceId HOME = new ResourceId("volume", "home");

    @Test
    void isTaggedForTheNextSiteOfTheName() {
        var volume = volume(Recorded.host(Recorded::clear), true);

        assertThat(volume.values()).containsEntry("kept-for", "demo").doesNotContainKey(Resource.TAKEN_UP);
        assertThat(VolumeAttributes.newConfig(volume)).containsExactly(Map.entry(Ownership.KEPT_FOR, "demo"));
        assertThat(volume(Recorded.host(Recorded::clear), false).values()).doesNotContainKey("kept-for");
    }

    @Test
    void hasAUserForWhomItStays() {
        assertThat(seen(Recorded.host()).usedBy()).isEmpty();
        assertThat(seen(Recorded.host(tree -> config(tree).put(Ownership.KEPT_FOR, "demo")))
                        .usedBy())
                .containsExactly(ObservedResource.KEPT);
    }

    @Test
    void losesItsOwnerOnlyWhenItIsReleased() {
        var config = new Ownership(HOME, new Tags(new Name("demo"), "l1", Optional.empty()), "lab").config();
        config.put(Ownership.KEPT_FOR, "demo");
        config.put("size", "1GiB");

        var removed = Ownership.withoutOwner(config);
        config.keySet().removeAll(removed.keySet());

        assertThat(removed.values()).containsOnly("");
        assertThat(config).containsOnlyKeys(Ownership.ID, Ownership.PROJECT, Ownership.KEPT_FOR, "size");
        assertThat(Ownership.of(config)).isEmpty();
        assertThat(Ownership.isKept(config, HOME, new Name("demo"), "lab")).isTrue();
        assertThat(Ownership.isKept(config, HOME, new Name("other"), "lab")).isFalse();
        assertThat(Ownership.isKept(config, HOME, new Name("demo"), "default")).isFalse();
        assertThat(Ownership.isKept(config, new ResourceId("volume", "data"), new Name("demo"), "lab"))
                .isFalse();
    }

    @Test
    void isTakenUpByASiteOfTheNameAndNoOther() {
        var left = Recorded.host(tree -> left(tree, "demo"));

        assertThat(volume(left, true).isTakenUp()).isTrue();
        assertThat(volume(left, false).isTakenUp())
                .as("a site that keeps it no longer")
                .isTrue();
        assertThatThrownBy(() -> volume(Recorded.host(tree -> left(tree, "other")), true))
                .isInstanceOf(Failure.class)
                .hasMessageContaining(Code.NAME_TAKEN.id());
    }

    @Test
    void isNotMadeAnewInAnotherPool() {
        assertThatThrownBy(() -> volume(Recorded.host(tree -> elsewhere(tree)), true))
                .isInstanceOf(Failure.class)
                .hasMessageContaining(Code.KEPT_ELSEWHERE.id());
        assertThat(volume(Recorded.host(tree -> elsewhere(tree)), false).isTakenUp())
                .isFalse();
    }

    static Requirements keptHome(boolean keep) {
        var home = new Group(
                false,
                List.of(new SharedVolume("home", "/home", Optional.empty(), keep)),
                List.of(),
                1,
                Optional.empty());
        return new Requirements(Map.of(new Name("head"), home, new Name("node"), home), List.of());
    }

    /** In a pool that the site does not use. */
    static void elsewhere(ObjectNode tree) {
        left(tree, "demo");
        var volumes = tree.withObject("volumes");
        volumes.set("old", volumes.remove("nova"));
        volumes.putArray("nova");
    }

    private static void left(ObjectNode tree, String site) {
        tree.putArray("instances");
        tree.putArray("leases");
        var config = config(tree);
        config.removeAll();
        config.put(Ownership.ID, HOME.toString());
        config.put(Ownership.KEPT_FOR, site);
    }

    private static ObjectNode config(ObjectNode tree) {
        return (ObjectNode) tree.withObject("volumes").withArray("nova").get(0).path("config");
    }

    private static Resource volume(Snapshot snapshot, boolean keep) {
        return Recorded.compile(snapshot, Recorded.demo(1), keptHome(keep)).resources().stream()
                .filter(resource -> resource.id().equals(HOME))
                .findFirst()
                .orElseThrow();
    }

    private static ObservedResource seen(Snapshot snapshot) {
        return new Observation(snapshot, new AllSites())
                .owned().stream()
                        .filter(resource -> resource.id().equals(HOME))
                        .findFirst()
                        .orElseThrow();
    }
}
