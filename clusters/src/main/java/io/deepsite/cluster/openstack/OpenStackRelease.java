package io.deepsite.cluster.openstack;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A release of OpenStack with nova-lxd, and the commits of its installer and of the driver if deepsite installs it. */
public enum OpenStackRelease {
    /** As an existing cloud only: its installers run on Ubuntu 16.04, whose LXD has no storage pools. */
    QUEENS(60, Optional.empty(), Optional.empty()),
    /** The tag 18.1.20: openstack/releases 2d24ffc, deliverables/rocky; nova-lxd as pinned by this tag. */
    ROCKY(65, "bf120aa4d6bc180332d02723e783d69ba37a0c77", "bc8d540c95b3209321658000fd74b0e5065a7ee2"),
    /**
     * The tag 19.1.3: openstack/releases 997c426, deliverables/stein. The nova-lxd commit that this tag pins was never on its
     * mirror; this is the last commit of stable/stein there, by the notes of its review.
     */
    STEIN(72, "0195dace9abf20ee5abb3ab500d5cc806208277a", "293df795bccfe2cda0ef9534b49373a38924c8c5");

    /** The microversion 2.N of Nova with which machines are made; that of the provider openstack. */
    private static final int WANTED = 67;

    private final int microversion;
    private final Optional<String> openstackAnsibleCommit;
    private final Optional<String> novaLxdCommit;

    OpenStackRelease(int microversion, String openstackAnsibleCommit, String novaLxdCommit) {
        this(microversion, Optional.of(openstackAnsibleCommit), Optional.of(novaLxdCommit));
    }

    /** @param microversion the newest 2.N of its Nova; source: Nova's "REST API Version History", "Maximum in …" */
    OpenStackRelease(int microversion, Optional<String> openstackAnsibleCommit, Optional<String> novaLxdCommit) {
        this.microversion = microversion;
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

    /** Whether the provider openstack can make machines with it. */
    public boolean servesTheProvider() {
        return microversion >= WANTED;
    }

    public String microversion() {
        return "2." + microversion;
    }

    public static String wantedMicroversion() {
        return "2." + WANTED;
    }

    public Optional<String> openstackAnsibleCommit() {
        return openstackAnsibleCommit;
    }

    public Optional<String> novaLxdCommit() {
        return novaLxdCommit;
    }
}
