package io.deepsite.openstack;

/** The attributes of ports and floating IPs. */
final class PortAttributes {
    static final String NETWORK = "network";
    static final String ADDRESS = "address";
    static final String SECURITY_GROUPS = "security-groups";
    static final String PORT = "port";

    private PortAttributes() {}

    /** Name and id of a security group that is not ours: names are not unique, ids are not readable. */
    static String words(Snapshot.SecurityGroup group) {
        return group.name() + " " + group.id();
    }
}
