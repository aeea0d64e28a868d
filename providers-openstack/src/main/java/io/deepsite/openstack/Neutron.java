package io.deepsite.openstack;

import io.deepsite.site.Name;
import java.util.Locale;
import java.util.Map;
import org.openstack4j.model.network.Resource;
import org.openstack4j.openstack.networking.domain.NeutronResourceTag;

/**
 * Writes what has our tags in its description: networks, subnets, routers, ports, security groups and floating IPs. They
 * are named by their kind, as in {@link Kinds}.
 */
final class Neutron {
    private final Cloud cloud;

    Neutron(Cloud cloud) {
        this.cloud = cloud;
    }

    /** @return its id */
    String create(String kind, Map<String, ?> body, Name site) {
        var answer = cloud.rest(Service.NETWORK).post("/" + plural(kind), Map.of(singular(kind), body));
        var id = Nodes.text(answer.path(singular(kind)), "id");
        tag(kind, id, site);
        return id;
    }

    void update(String kind, String id, Map<String, ?> body) {
        cloud.rest(Service.NETWORK).put("/" + plural(kind) + "/" + id, Map.of(singular(kind), body));
    }

    /** Tags of Neutron, for people to filter by; an older Neutron has none. */
    void tag(String kind, String id, Name site) {
        var tags = new NeutronResourceTag();
        tags.addTag("deepsite", "deepsite-site=" + site);
        Refusal.found(() -> cloud.client().networking().resourceTags().replace(resource(kind), id, tags));
    }

    private static Resource resource(String kind) {
        return Resource.valueOf(kind.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    private static String plural(String kind) {
        return Resource.forValue(resource(kind));
    }

    private static String singular(String kind) {
        return plural(kind).replaceFirst("s$", "").replace('-', '_');
    }
}
