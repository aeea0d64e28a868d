package io.deepsite.cluster.openstack;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Key;
import java.util.Optional;

/** Where an installer of OpenStack and what it builds come from. Their first homes are gone: each can be a mirror. */
public record OpenStackSources(
        @Key(
                value = "A mirror of https://opendev.org and https://git.openstack.org, with the same paths"
                        + " below.",
                example = "https://git.example.org/opendev",
                pattern = ADDRESS,
                impact = ChangeImpact.RESTART)
        Optional<String> opendev,

        @Key(
                value = "A mirror of https://github.com, with the same paths below.",
                example = "https://git.example.org/github",
                pattern = ADDRESS,
                impact = ChangeImpact.RESTART)
        Optional<String> github,

        @Key(
                value = "The repository of openstack-ansible itself; opendev's by default.",
                example = "https://git.example.org/openstack-ansible.git",
                pattern = ADDRESS,
                impact = ChangeImpact.RESTART)
        Optional<String> openstackAnsible,

        @Key(
                value = "Its commit, where deepsite's own table of releases is not to decide.",
                example = "bf120aa4d6bc180332d02723e783d69ba37a0c77",
                pattern = COMMIT,
                impact = ChangeImpact.RESTART)
        Optional<String> openstackAnsibleCommit,

        @Key(
                value = "The repository of DevStack; opendev's by default.",
                example = "https://git.example.org/devstack.git",
                pattern = ADDRESS,
                impact = ChangeImpact.RESTART)
        Optional<String> devstack,

        @Key(
                value = "Its commit. Its branches of these releases are gone, so name one that your mirror has.",
                example = "0123456789abcdef0123456789abcdef01234567",
                pattern = COMMIT,
                impact = ChangeImpact.RESTART)
        Optional<String> devstackCommit,

        @Key(
                value = "The repository of nova-lxd; openstack-archive/nova-lxd of github by default.",
                example = "https://git.example.org/nova-lxd.git",
                pattern = ADDRESS,
                impact = ChangeImpact.RESTART)
        Optional<String> novaLxd,

        @Key(
                value = "Its commit, where deepsite's own table of releases is not to decide.",
                example = "bc8d540c95b3209321658000fd74b0e5065a7ee2",
                pattern = COMMIT,
                impact = ChangeImpact.RESTART)
        Optional<String> novaLxdCommit) {
    static final String ADDRESS = "(https?://[A-Za-z0-9][A-Za-z0-9.:-]*|file://)/[A-Za-z0-9._~/+-]*[A-Za-z0-9._~+-]";
    static final String COMMIT = "[0-9a-f]{7,40}";

    private static final String OPENDEV = "https://opendev.org";
    private static final String GITHUB = "https://github.com";

    public String openstackAnsibleFrom() {
        return openstackAnsible.orElse(opendevFrom() + "/openstack/openstack-ansible");
    }

    public String devstackFrom() {
        return devstack.orElse(opendevFrom() + "/openstack/devstack");
    }

    public String novaLxdFrom() {
        return novaLxd.orElse(github.orElse(GITHUB) + "/openstack-archive/nova-lxd");
    }

    public String opendevFrom() {
        return opendev.orElse(OPENDEV);
    }

    /** The commit of openstack-ansible; empty where neither the site nor the table has one. */
    public Optional<String> openstackAnsibleAt(String release) {
        return openstackAnsibleCommit.or(
                () -> OpenStackRelease.of(release).flatMap(OpenStackRelease::openstackAnsibleCommit));
    }

    /** The commit of nova-lxd; empty where neither the site nor the table has one. */
    public Optional<String> novaLxdAt(String release) {
        return novaLxdCommit.or(() -> OpenStackRelease.of(release).flatMap(OpenStackRelease::novaLxdCommit));
    }
}
