package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import mockwebserver3.MockResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What only an administrator's site makes: networks outside, and flavors. */
final class AdministratorCallsTest {
    private static final Tags TAGS =
            new Tags(new Name("slurm-openstack"), "11111111-2222-3333-4444-555555555555", Optional.empty());

    @RegisterExtension
    private final RecordedCloud recorded = new RecordedCloud();

    @Test
    void aNetworkOutsideIsAskedForAsAdministratorsDo() {
        new RecordedProject(recorded, RecordedProject.only("servers"));
        recorded.on("POST /v2.0/networks", _ -> created("{\"network\": {\"id\": \"n-9\"}}"))
                .on("PUT /v2.0/networks/n-9/tags", _ -> created("{}"));
        var attributes = new TreeMap<String, Resource.Attribute>();
        attributes.put(
                NetworkDesign.PROVIDER, new Resource.Attribute("vlan physnet1 203", Resource.Mutability.REPLACE));

        provider()
                .create(
                        new Resource(Kinds.EXTERNAL_NETWORK, "ds-x-external", attributes, List.of()),
                        TAGS,
                        Boot.NONE,
                        Call.QUIET);

        assertThat(recorded.posted("/v2.0/networks"))
                .singleElement()
                .asString()
                .contains(
                        "\"router:external\":true",
                        "\"provider:network_type\":\"vlan\"",
                        "\"provider:physical_network\":\"physnet1\"",
                        "\"provider:segmentation_id\":203");
    }

    @Test
    void aFlavorThatAKilledRunLeftWithoutItsExtraSpecsGetsThem() {
        var name = "ds-slurm-openstack-node-1c-512m-5g-12345678";
        new RecordedProject(
                recorded,
                RecordedProject.only(
                        "flavors",
                        Json.MAPPER
                                .createObjectNode()
                                .put("id", "f-9")
                                .put("name", name)
                                .put("description", new Ownership(Kinds.flavor(new Name("node")), TAGS).text())));
        recorded.on("POST /v2.1/flavors/f-9/os-extra_specs", _ -> created("{}"));
        var attributes = new TreeMap<String, Resource.Attribute>();
        attributes.put(FlavorChoice.SPEC + "lxd:gpus", new Resource.Attribute("1", Resource.Mutability.REPLACE));

        provider()
                .create(
                        new Resource(Kinds.flavor(new Name("node")), name, attributes, List.of()),
                        TAGS,
                        Boot.NONE,
                        Call.QUIET);

        assertThat(recorded.sent())
                .filteredOn(request -> request.startsWith("POST /v2"))
                .containsExactly("POST /v2.1/flavors/f-9/os-extra_specs");
        assertThat(recorded.posted("/os-extra_specs")).containsExactly("{\"extra_specs\":{\"lxd:gpus\":\"1\"}}");
    }

    private static MockResponse created(String body) {
        return new MockResponse.Builder()
                .code(200)
                .setHeader("Content-Type", "application/json")
                .body(body)
                .build();
    }

    private OpenStackProvider provider() {
        return new OpenStackProvider(
                RecordedCloud.settings(Optional.of("lab")), recorded.cloud(), Path.of(""), _ -> {}, recorded.clock);
    }
}
