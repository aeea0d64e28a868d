package io.deepsite.openstack;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import tools.jackson.databind.JsonNode;

/** Things of one sort, as their service lists them. */
enum Family {
    NETWORKS(Service.NETWORK, "/networks", "networks", "network", "network"),
    SUBNETS(Service.NETWORK, "/subnets", "subnets", "subnet", "subnet"),
    ROUTERS(Service.NETWORK, "/routers", "routers", "router", "router"),
    PORTS(Service.NETWORK, "/ports", "ports", "port", "port"),
    SECURITY_GROUPS(Service.NETWORK, "/security-groups", "security_groups", "security_group", "security group"),
    FLOATING_IPS(Service.NETWORK, "/floatingips", "floatingips", "floatingip", "floating IP"),
    SERVERS(Service.COMPUTE, "/servers", "servers", "server", "server"),
    FLAVORS(Service.COMPUTE, "/flavors", "flavors", "flavor", "flavor"),
    SERVER_GROUPS(Service.COMPUTE, "/os-server-groups", "server_groups", "server_group", "server group"),
    KEYPAIRS(Service.COMPUTE, "/os-keypairs", "keypairs", "keypair", "keypair"),
    /** Glance wraps a single thing in no key. */
    IMAGES(Service.IMAGE, "/images", "images", "", "image"),
    VOLUMES(Service.VOLUME, "/volumes", "volumes", "volume", "volume");

    private final Service service;
    private final String path;
    private final String many;
    private final String one;
    private final String words;

    Family(Service service, String path, String many, String one, String words) {
        this.service = service;
        this.path = path;
        this.many = many;
        this.one = one;
        this.words = words;
    }

    static Family of(String kind) {
        return switch (kind) {
            case Kinds.NETWORK -> NETWORKS;
            case Kinds.SUBNET -> SUBNETS;
            case Kinds.ROUTER -> ROUTERS;
            case Kinds.PORT -> PORTS;
            case Kinds.SECURITY_GROUP, Kinds.SECURITY_RULES -> SECURITY_GROUPS;
            case Kinds.FLOATING_IP -> FLOATING_IPS;
            case Kinds.SERVER -> SERVERS;
            case Kinds.FLAVOR -> FLAVORS;
            case Kinds.SERVER_GROUP -> SERVER_GROUPS;
            case Kinds.KEYPAIR -> KEYPAIRS;
            case Kinds.IMAGE -> IMAGES;
            case Kinds.VOLUME -> VOLUMES;
            default -> throw new IllegalArgumentException("OpenStack has no " + kind);
        };
    }

    Service service() {
        return service;
    }

    /** Of the list. */
    String path() {
        return path;
    }

    /** The key of the list in an answer. */
    String many() {
        return many;
    }

    /** The key of a single thing. */
    String one() {
        return one;
    }

    /** As messages call one. */
    String words() {
        return words;
    }

    /** By which its service knows one of the list. */
    String id(JsonNode node) {
        // Nova wraps each of its keypairs in a key, and knows them by name.
        return this == KEYPAIRS ? Nodes.text(node.path(one), "name") : Nodes.text(node, "id");
    }

    /** Where our tags stand on one of them. */
    String tags(JsonNode node) {
        return switch (this) {
            case SERVERS, VOLUMES -> Nodes.text(node.path("metadata"), Ownership.KEY);
            case IMAGES -> Nodes.text(node, Ownership.KEY);
            case SERVER_GROUPS -> Nodes.text(node, "name");
            case KEYPAIRS -> Ownership.textOfKeypair(id(node));
            default -> Nodes.text(node, "description");
        };
    }

    /** The list with everything about each, of those with the name where the service can tell. */
    String named(String name) {
        var encoded = URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
        return switch (this) {
            // Nova takes a regular expression; our names hold none of its signs.
            case SERVERS -> "/servers/detail?name=^" + encoded + "$";
            case FLAVORS -> "/flavors/detail?is_public=None";
            case VOLUMES -> "/volumes/detail?name=" + encoded;
            // Of these there are few; a floating IP has no name, the others have one that says more.
            case SERVER_GROUPS, KEYPAIRS, FLOATING_IPS -> path;
            default -> path + "?name=" + encoded;
        };
    }
}
