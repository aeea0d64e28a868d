package io.deepsite.openstack;

import io.deepsite.provider.ResourceId;
import io.deepsite.site.Name;

/** The kinds of resources, and their names in the cloud. */
final class Kinds {
    static final String NETWORK = "network";
    static final String SUBNET = "subnet";
    static final String ROUTER = "router";
    static final String SECURITY_GROUP = "security-group";
    /** The rules of one security group: they refer to other groups, so all groups are created first. */
    static final String SECURITY_RULES = "security-rules";

    static final String SERVER_GROUP = "server-group";
    static final String FLAVOR = "flavor";
    static final String IMAGE = "image";
    static final String VOLUME = "volume";
    /** The login key of the site's machines in Nova: it belongs to the user who created it, and has nothing but a name. */
    static final String KEYPAIR = "keypair";

    static final String PORT = "port";
    static final String FLOATING_IP = "floating-ip";
    static final String SERVER = ResourceId.MACHINE;

    static final ResourceId THE_NETWORK = new ResourceId(NETWORK, "net");
    static final ResourceId THE_ROUTER = new ResourceId(ROUTER, "router");
    static final ResourceId THE_KEYPAIR = new ResourceId(KEYPAIR, "login");
    static final ResourceId SUBNET_IPV4 = new ResourceId(SUBNET, "ipv4");
    /** The external network and its subnet, if the site creates them. */
    static final ResourceId EXTERNAL_NETWORK = new ResourceId(NETWORK, "external");

    static final ResourceId EXTERNAL_SUBNET = new ResourceId(SUBNET, "external");
    static final ResourceId SUBNET_IPV6 = new ResourceId(SUBNET, "ipv6");

    private Kinds() {}

    /** Names need not be unique in OpenStack: {@link Ownership} says what belongs to a site. */
    static String name(Name site, ResourceId id) {
        return switch (id.kind()) {
            case SERVER -> site + "-" + id.key();
            default -> "ds-" + site + "-" + id.key();
        };
    }

    /** Lower numbers are deleted first: a network can be deleted when nothing uses it. */
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
