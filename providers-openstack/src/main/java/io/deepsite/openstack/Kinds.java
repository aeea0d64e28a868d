package io.deepsite.openstack;

import io.deepsite.provider.ResourceId;
import io.deepsite.site.Name;

/** The kinds of resources, and how they are named in the cloud. */
final class Kinds {
    static final String NETWORK = "network";
    static final String SUBNET = "subnet";
    static final String ROUTER = "router";
    static final String SECURITY_GROUP = "security-group";
    /** The rules of one security group: they name other groups, so all groups come first. */
    static final String SECURITY_RULES = "security-rules";

    static final String SERVER_GROUP = "server-group";
    static final String FLAVOR = "flavor";
    static final String IMAGE = "image";
    static final String VOLUME = "volume";
    /** The login key of the site's machines, as Nova keeps it: of the user who made it, by name alone. */
    static final String KEYPAIR = "keypair";

    static final String PORT = "port";
    static final String FLOATING_IP = "floating-ip";
    static final String SERVER = ResourceId.MACHINE;

    static final ResourceId THE_NETWORK = new ResourceId(NETWORK, "net");
    static final ResourceId THE_ROUTER = new ResourceId(ROUTER, "router");
    static final ResourceId THE_KEYPAIR = new ResourceId(KEYPAIR, "login");
    static final ResourceId SUBNET_IPV4 = new ResourceId(SUBNET, "ipv4");
    /** The network outside, where the site makes that, too, and its subnet. */
    static final ResourceId EXTERNAL_NETWORK = new ResourceId(NETWORK, "external");

    static final ResourceId EXTERNAL_SUBNET = new ResourceId(SUBNET, "external");
    static final ResourceId SUBNET_IPV6 = new ResourceId(SUBNET, "ipv6");

    private Kinds() {}

    /** Names need not be unique in OpenStack: what is ours is told by {@link Ownership}. */
    static String name(Name site, ResourceId id) {
        return switch (id.kind()) {
            case SERVER -> site + "-" + id.key();
            default -> "ds-" + site + "-" + id.key();
        };
    }

    /** What has a lower number goes first: a network takes its leave only when nothing is left on it. */
    static int removal(String kind) {
        return switch (kind) {
            case SERVER -> 0;
            case PORT, ROUTER, SECURITY_RULES -> 2;
            case SUBNET, SECURITY_GROUP -> 3;
            case NETWORK -> 4;
            default -> 1;
        };
    }

    static ResourceId port(String machine) {
        return new ResourceId(PORT, machine);
    }

    static ResourceId floatingIp(String machine) {
        return new ResourceId(FLOATING_IP, machine);
    }

    static ResourceId securityGroup(Name group) {
        return new ResourceId(SECURITY_GROUP, group.value());
    }

    static ResourceId securityRules(Name group) {
        return new ResourceId(SECURITY_RULES, group.value());
    }

    static ResourceId serverGroup(Name group) {
        return new ResourceId(SERVER_GROUP, group.value());
    }

    static ResourceId flavor(Name group) {
        return new ResourceId(FLAVOR, group.value());
    }

    static ResourceId volume(String machine, Name volume) {
        return new ResourceId(VOLUME, machine + "-" + volume);
    }
}
