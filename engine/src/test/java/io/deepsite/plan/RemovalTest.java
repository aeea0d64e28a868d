package io.deepsite.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RemovalTest {
    @Test
    void machinesGoBeforeWhatTheyUseAndPoolsLast() {
        var found = List.of(
                seen("pool", "p"),
                seen("network", "n"),
                seen("instance", "b"),
                seen("volume", "v"),
                seen("instance", "a"));

        assertThat(Removal.inOrder(found))
                .extracting(resource -> resource.id().toString())
                .containsExactly("instance/a", "instance/b", "network/n", "volume/v", "pool/p");
    }

    @Test
    void whatOthersUseStays() {
        assertThat(Removal.inOrder(List.of(seen("network", "n", "a machine of somebody else"), seen("network", "m"))))
                .extracting(ObservedResource::name)
                .containsExactly("m");
    }

    private static ObservedResource seen(String kind, String name, String... users) {
        return new ObservedResource(
                new ResourceId(kind, name),
                name,
                new TreeMap<>(),
                new Tags(new Name("lab"), "lineage", Optional.empty()),
                "1",
                ObservedResource.Condition.READY,
                List.of(users));
    }
}
