package io.deepsite.cluster.openstack;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A release of OpenStack with nova-lxd, and the commits that identify its installer and the driver. */
public enum OpenStackRelease {
    /** openstack/releases 09fb73b, deliverables/queens; nova-lxd as pinned by this tag. No installer of it is offered. */
    QUEENS("17.1.4", "983a324a3b2649b5d8957b74d52d6432ed124396", "84a8c59be69cb0c2c473eb3307985264b4fba98f"),
    /** openstack/releases 2d24ffc, deliverables/rocky; nova-lxd as pinned by this tag. */
    ROCKY("18.1.20", "bf120aa4d6bc180332d02723e783d69ba37a0c77", "bc8d540c95b3209321658000fd74b0e5065a7ee2"),
    /**
     * openstack/releases 997c426, deliverables/stein. The nova-lxd commit that this tag pins was never on its mirror;
     * this is the last commit of stable/stein there, by the notes of its review.
     */
    STEIN("19.1.3", "0195dace9abf20ee5abb3ab500d5cc806208277a", "293df795bccfe2cda0ef9534b49373a38924c8c5");

    private final String tag;
    private final String openstackAnsibleCommit;
    private final String novaLxdCommit;

    OpenStackRelease(String tag, String openstackAnsibleCommit, String novaLxdCommit) {
        this.tag = tag;
        this.openstackAnsibleCommit = openstackAnsibleCommit;
        this.novaLxdCommit = novaLxdCommit;
    }

    /** In lower case, as in site.yaml. */
    public static List<String> words() {
        return Arrays.stream(values()).map(OpenStackRelease::word).toList();
    }

    public static Optional<OpenStackRelease> of(String word) {
        return Arrays.stream(values())
                .filter(release -> release.word().equals(word))
                .findFirst();
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Of openstack-ansible. */
    public String tag() {
        return tag;
    }

    public String openstackAnsibleCommit() {
        return openstackAnsibleCommit;
    }

    public String novaLxdCommit() {
        return novaLxdCommit;
    }
}
