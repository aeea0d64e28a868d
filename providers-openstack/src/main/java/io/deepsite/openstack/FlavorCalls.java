package io.deepsite.openstack;

import io.deepsite.provider.Boot;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.Tags;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Flavors that an administrator lets deepsite create, server groups, and the keypair. */
final class FlavorCalls {
    private final Cloud cloud;
    private final TaggedResources things;

    FlavorCalls(Cloud cloud, TaggedResources things) {
        this.cloud = cloud;
        this.things = things;
    }

    void createFlavor(Resource desired, Tags tags) {
        var id = things.find(Family.FLAVORS, desired.id(), desired.name(), tags)
                .map(Snapshot.Flavor::id)
                .orElseGet(() -> create(desired, tags));
        var specs = new TreeMap<String, String>();
        desired.values().forEach((key, value) -> {
            if (key.startsWith(FlavorChoice.SPEC)) {
                specs.put(key.substring(FlavorChoice.SPEC.length()), value);
            }
        });
        if (!specs.isEmpty()) {
            cloud.client().compute().flavors().createAndUpdateExtraSpecs(id, specs);
        }
    }

    private String create(Resource desired, Tags tags) {
        var body = new LinkedHashMap<String, Object>();
        body.put("name", desired.name());
        body.put("description", new Ownership(desired.id(), tags).text());
        body.put("vcpus", number(desired, "cpus"));
        body.put("ram", number(desired, "memory"));
        body.put("disk", number(desired, "disk"));
        body.put("os-flavor-access:is_public", false);
        var answer = cloud.rest(Service.COMPUTE).post("/flavors", Map.of("flavor", body));
        return Nodes.text(answer.path("flavor"), "id");
    }

    private static int number(Resource desired, String attribute) {
        return Integer.parseInt(desired.values().getOrDefault(attribute, "0").replaceAll("[^0-9]", ""));
    }

    void retagFlavor(ObservedResource seen, Ownership ownership) {
        things.find(Family.FLAVORS, seen)
                .ifPresent(flavor -> cloud.rest(Service.COMPUTE)
                        .put("/flavors/" + flavor.id(), Map.of("flavor", Map.of("description", ownership.text()))));
    }

    /** Without a key Nova would create one, and send back the private half. */
    void createKeypair(Resource desired, Tags tags, Boot boot) {
        var key = boot.loginKeys().orElseThrow(() -> new IllegalArgumentException("no key for " + desired.name()));
        if (!things.exists(desired, tags)) {
            cloud.client().compute().keypairs().create(Ownership.keypairName(tags), key.strip());
        }
    }

    /** Its create call takes nothing but a name, so the name holds the tags. */
    void createServerGroup(Resource desired, Tags tags) {
        if (!things.exists(desired, tags)) {
            var withoutLease = new Ownership(desired.id(), tags).with(Optional.empty());
            var group = Map.of(
                    "name",
                    desired.name() + " " + withoutLease.text(),
                    "policy",
                    desired.values().getOrDefault("policy", ""));
            cloud.rest(Service.COMPUTE).post("/os-server-groups", Map.of("server_group", group));
        }
    }
}
