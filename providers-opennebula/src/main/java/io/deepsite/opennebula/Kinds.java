package io.deepsite.opennebula;

import io.deepsite.provider.ResourceId;
import io.deepsite.site.Name;

/** The kinds of resources, and their names in OpenNebula. */
final class Kinds {
    static final String NETWORK = "network";
    static final String SECURITY_GROUP = "security-group";
    /** The security group of the network itself, which allows nothing in: without one, OpenNebula's default allows everything. */
    static final String GUARD = "network-guard";

    static final String IMAGE = "image";
    static final String VOLUME = "volume";
    static final String VM = ResourceId.MACHINE;

    static final ResourceId THE_NETWORK = new ResourceId(NETWORK, "net");
    static final ResourceId THE_GUARD = new ResourceId(GUARD, "net");

    private Kinds() {}

    static String name(Name site, ResourceId id) {
        return switch (id.kind()) {
            case VM -> site + "-" + id.key();
            // Names of machine groups hold no dot.
            case GUARD -> "ds-" + site + "-net.guard";
            default -> "ds-" + site + "-" + id.key();
        };
    }

    /** Lower numbers are deleted first. */
    static int removal(String kind) {
        return switch (kind) {
            case VM -> 0;
            case NETWORK -> 2;
            case SECURITY_GROUP, GUARD -> 3;
            default -> 1;
        };
    }

    static String words(String kind) {
        return switch (kind) {
            case VM -> "VM";
            case NETWORK -> "virtual network";
            case SECURITY_GROUP, GUARD -> "security group";
            default -> "image";
        };
    }

    static ResourceId securityGroup(Name group) {
        return new ResourceId(SECURITY_GROUP, group.value());
    }

    static ResourceId volume(String machine, Name volume) {
        return new ResourceId(VOLUME, machine + "-" + volume);
    }
}
