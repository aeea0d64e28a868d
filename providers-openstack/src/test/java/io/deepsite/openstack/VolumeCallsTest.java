package io.deepsite.openstack;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Resource.Attribute;
import io.deepsite.provider.Resource.Mutability;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Data volumes, on what the Block Storage API documents: the testbed's cloud has none. */
final class VolumeCallsTest {
    private static final Tags TAGS =
            new Tags(new Name("lab"), "11111111-2222-3333-4444-555555555555", Optional.empty());
    private static final ResourceId ID = new ResourceId(Kinds.VOLUME, "node-scratch");
    private static final String SERVER = "f64c0cce-c8c9-4c9a-8ea7-ed3fe5f2ba0b";

    @RegisterExtension
    private final RecordedCloud recorded = new RecordedCloud();

    @Test
    void isMadeWithSizeTypeZoneAndTagsAndWaitedFor() {
        var volumes = new RecordedVolumes(recorded);

        provider().create(volume(10), TAGS, Boot.NONE, Call.QUIET);
        provider().create(volume(10), TAGS, Boot.NONE, Call.QUIET);

        assertThat(volumes.all()).singleElement().satisfies(made -> {
            assertThat(Nodes.text(made, "name")).isEqualTo("ds-lab-node-scratch");
            assertThat(Nodes.text(made, "status")).isEqualTo("available");
            assertThat(Nodes.number(made, "size")).isEqualTo(10);
            assertThat(Nodes.text(made, "volume_type")).isEqualTo("ssd");
            assertThat(Nodes.text(made, "availability_zone")).isEqualTo("west");
            assertThat(Nodes.map(made, "metadata")).containsEntry("deepsite", new Ownership(ID, TAGS).text());
        });
        assertThat(recorded.requests)
                .filteredOn(request ->
                        Objects.requireNonNull(request.getUrl()).encodedPath().contains("/volumes"))
                .allSatisfy(request -> assertThat(request.getHeaders().get("OpenStack-API-Version"))
                        .isEqualTo("volume 3.42"));
    }

    @Test
    void oneThatCinderFailedToMakeIsMadeAnew() {
        var volumes = made();
        volumes.then(volumes.all().getFirst(), "error");

        provider().create(volume(10), TAGS, Boot.NONE, Call.QUIET);

        assertThat(volumes.all()).extracting(one -> Nodes.text(one, "status")).containsExactly("available");
    }

    @Test
    void growsAndDoesNotShrink() {
        var volumes = made();

        provider().update(seen(), volume(20), Call.QUIET);

        assertThat(volumes.all()).extracting(one -> Nodes.number(one, "size")).containsExactly(20);
        reads("volumes/DS2002-volume-shrinks", () -> provider().update(seen(), volume(5), Call.QUIET));
    }

    @Test
    void newEndOfTheLeaseStandsInItsMetadata() {
        var volumes = made();
        var lease = new Tags.Lease(Instant.parse("2031-01-02T03:04:05Z"), Optional.empty());

        provider().retag(seen(), Optional.of(lease), Call.QUIET);

        assertThat(Nodes.map(volumes.all().getFirst(), "metadata"))
                .containsEntry(
                        "deepsite",
                        new Ownership(ID, TAGS).with(Optional.of(lease)).text())
                .containsEntry("deepsite-type", "ssd");
    }

    @Test
    void goesAndIsWaitedFor() {
        var volumes = made();

        provider().delete(seen(), Call.QUIET);
        provider().delete(seen(), Call.QUIET);

        assertThat(volumes.all()).isEmpty();
    }

    @Test
    void oneThatIsAttachedElsewhereNamesTheServer() {
        var volumes = made();
        volumes.attach(volumes.all().getFirst(), SERVER);

        reads("volumes/DS2334-volume", () -> provider().delete(seen(), Call.QUIET));

        assertThat(volumes.all()).hasSize(1);
    }

    private RecordedVolumes made() {
        var volumes = new RecordedVolumes(recorded);
        provider().create(volume(10), TAGS, Boot.NONE, Call.QUIET);
        return volumes;
    }

    private OpenStackProvider provider() {
        return new OpenStackProvider(
                RecordedCloud.settings(Optional.of("lab")),
                recorded.cloud(),
                Path.of(""),
                duration -> recorded.clock.now = recorded.clock.instant().plus(duration),
                recorded.clock);
    }

    private static Resource volume(int gibibytes) {
        var values = Map.of("size", gibibytes + "GiB", "type", "ssd", "zone", "west");
        var attributes = new TreeMap<String, Attribute>();
        values.forEach((key, value) -> attributes.put(key, new Attribute(value, Mutability.IN_PLACE)));
        return new Resource(ID, "ds-lab-node-scratch", attributes, List.of());
    }

    private static ObservedResource seen() {
        return new ObservedResource(ID, "ds-lab-node-scratch", new TreeMap<>(), TAGS, "1", Condition.READY, List.of());
    }

    private static void reads(String name, org.assertj.core.api.ThrowableAssert.ThrowingCallable what) {
        UnaryOperator<String> elsewhere =
                text -> text.replaceAll("(127\\.0\\.0\\.1|localhost):[0-9]+", "cloud.example");
        assertReads(name, what, elsewhere);
    }
}
