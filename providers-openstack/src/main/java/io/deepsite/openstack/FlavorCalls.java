package io.deepsite.openstack;

import io.deepsite.provider.Boot;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Tags;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;

/** Flavors that an administrator lets deepsite make, server groups, and the keypair. */
final class FlavorCalls {
    private final TaggedResources things;

    FlavorCalls(TaggedResources things) {
        this.things = things;
    }

    void createFlavor(Resource desired, Tags tags) {
        var flavor = things.find(desired.id(), desired.name(), tags).orElseGet(() -> create(desired, tags));
        var specs = new TreeMap<String, String>();
        desired.values().forEach((key, value) -> {
            if (key.startsWith(FlavorChoice.SPEC)) {
                specs.put(key.substring(FlavorChoice.SPEC.length()), value);
            }
        });
        if (!specs.isEmpty()) {
            things.post(Family.FLAVORS, Nodes.text(flavor, "id"), "os-extra_specs", Map.of("extra_specs", specs));
        }
    }

    private JsonNode create(Resource desired, Tags tags) {
        var body = new LinkedHashMap<String, Object>();
        body.put("name", desired.name());
        body.put("description", new Ownership(desired.id(), tags).text());
        body.put("vcpus", number(desired, "cpus"));
        body.put("ram", number(desired, "memory"));
        body.put("disk", number(desired, "disk"));
        body.put("os-flavor-access:is_public", false);
        return things.create(Family.FLAVORS, body);
    }

    private static int number(Resource desired, String attribute) {
        return Integer.parseInt(desired.values().getOrDefault(attribute, "0").replaceAll("[^0-9]", ""));
    }

    void retagFlavor(ObservedResource seen, Ownership ownership) {
        things.find(seen)
                .ifPresent(node ->
                        things.put(Family.FLAVORS, Nodes.text(node, "id"), Map.of("description", ownership.text())));
    }

    /** Without a key Nova would make one, and tell the private half. */
    void createKeypair(Resource desired, Tags tags, Boot boot) {
        var key = boot.loginKeys().orElseThrow(() -> new IllegalArgumentException("no key for " + desired.name()));
        if (things.find(desired.id(), desired.name(), tags).isEmpty()) {
            things.create(Family.KEYPAIRS, Map.of("name", Ownership.keypairName(tags), "public_key", key.strip()));
        }
    }

    /** Its create call takes no more than a name, so that carries the tags. */
    void createServerGroup(Resource desired, Tags tags) {
        if (things.find(desired.id(), desired.name(), tags).isEmpty()) {
            things.create(
                    Family.SERVER_GROUPS,
                    Map.of(
                            "name",
                            desired.name() + " "
                                    + new Ownership(desired.id(), tags)
                                            .endingAt(Optional.empty())
                                            .text(),
                            "policy",
                            desired.values().getOrDefault("policy", "")));
        }
    }
}
