package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.Call;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.nio.file.Path;
import java.util.Optional;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.node.ObjectNode;

/** A proxy that sends a POST again creates a second thing with the same name and tags. */
final class TwinCallsTest {
    private static final String NAME = "ds-lab-net";
    private static final Tags TAGS =
            new Tags(new Name("lab"), "11111111-2222-3333-4444-555555555555", Optional.empty());

    @RegisterExtension
    private final RecordedCloud recorded = new RecordedCloud();

    @Test
    void theOneThatWasSeenIsDeletedAndNotItsTwin() {
        new RecordedProject(recorded, RecordedProject.only("networks", network("n-1"), network("n-2")));
        recorded.on(
                "DELETE /v2.0/networks/n-2",
                _ -> new MockResponse.Builder().code(204).build());
        var provider = new OpenStackProvider(
                RecordedCloud.settings(Optional.of("lab")), recorded.cloud(), Path.of(""), _ -> {}, recorded.clock);
        var twins = provider.survey(new Tags.Scope.OneSite(TAGS.site())).owned();
        assertThat(twins).extracting(seen -> seen.handle()).containsExactly("n-1", "n-2");

        provider.delete(twins.getLast(), Call.QUIET);

        assertThat(recorded.sent())
                .filteredOn(request -> request.startsWith("DELETE"))
                .containsExactly("DELETE /v2.0/networks/n-2");
    }

    private static ObjectNode network(String id) {
        return Json.MAPPER
                .createObjectNode()
                .put("id", id)
                .put("name", NAME)
                .put("description", new Ownership(Kinds.THE_NETWORK, TAGS).text());
    }
}
