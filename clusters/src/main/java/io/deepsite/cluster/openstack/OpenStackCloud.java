package io.deepsite.cluster.openstack;

import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cluster;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.OtherKeys;
import io.deepsite.site.SiteNetwork;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** An OpenStack cloud whose hypervisor is LXD. */
public record OpenStackCloud(
        @Key(
                value =
                        "Who installs OpenStack: openstack-ansible or DevStack (both experimental: no test ever ran a whole"
                                + " installation), or, before deepsite comes, the distribution's packages.",
                example = "openstack-ansible",
                choices = {"devstack", "packages", "openstack-ansible", "juju"},
                requires = {
                    @OtherKeys(
                            value = "control",
                            when = {"method=openstack-ansible", "given=false"},
                            why = "openstack-ansible installs the cloud's services on machines that site.yaml names.",
                            fix = "Add \"control: [GROUP]\"; for a cloud on one host the group under compute."),
                    @OtherKeys(
                            value = "networks",
                            when = {"method=openstack-ansible", "given=false"},
                            why = "openstack-ansible connects each container to bridges of its host, and gives it"
                                    + " addresses.",
                            fix = "Add networks with internalVip, externalVip, management and overlay."),
                    @OtherKeys(
                            value = "sources.devstackCommit",
                            when = {"method=devstack", "given=false"},
                            why = "DevStack's branches of releases with nova-lxd are gone.",
                            fix =
                                    "Add \"sources: {devstackCommit: …}\" with a commit that your mirror has, such as that"
                                            + " of the tag stein-eol."),
                    @OtherKeys(
                            value = "given",
                            when = "method=packages",
                            why = "deepsite does not install OpenStack from packages: no distribution has one of"
                                    + " nova-lxd.",
                            fix = "Write method: openstack-ansible; or given: true, if OpenStack exists already.",
                            code = Code.INSTALLER_UNSUITED)
                },
                impact = ChangeImpact.REPLACE)
        String method,

        @Key(
                value = "Its release, a word: queens, rocky and stein have the driver for LXD.",
                example = "stein",
                pattern = "[a-z]{4,12}",
                impact = ChangeImpact.REPLACE)
        String release,

        @Key(
                value = "OpenStack exists already; deepsite configures its compute hosts and changes nothing else.",
                defaultValue = "false",
                impact = ChangeImpact.NOTHING)
        boolean given,

        @Key(
                value = "The groups whose machines run the services of OpenStack in containers: one or three machines."
                        + " openstack-ansible itself runs on the first.",
                example = "[control]",
                excludes = @OtherKeys(value = "given", why = GIVEN, code = Code.NO_EFFECT),
                impact = ChangeImpact.REPLACE)
        List<Name> control,

        @Key(
                value = "The groups whose machines are compute hosts. One group under control and compute is a cloud on"
                        + " one host.",
                example = "[compute]",
                required = true,
                impact = ChangeImpact.RESTART)
        List<Name> compute,

        @Key(
                value = "Services besides Keystone, Glance, Nova and Neutron.",
                example = "[horizon]",
                choices = {"barbican", "cinder", "designate", "heat", "horizon", "magnum"},
                excludes = @OtherKeys(value = "given", why = GIVEN, code = Code.NO_EFFECT),
                impact = ChangeImpact.RESTART)
        List<String> services,

        @Key(
                value = "Volumes from Ceph. Refused: none can be attached to an instance of LXD.",
                defaultValue = "false",
                impact = ChangeImpact.REPLACE)
        boolean ceph,

        @Key(
                value = "Networks of hosts and containers.",
                excludes = @OtherKeys(value = "given", why = GIVEN, code = Code.NO_EFFECT),
                impact = ChangeImpact.REPLACE)
        Optional<OpenStackNetworks> networks,

        @Key(value = "Where the sources are fetched from, and at which commit.", impact = ChangeImpact.RESTART)
        OpenStackSources sources,

        @Key(
                value =
                        "More secrets than deepsite knows, which user_secrets.yml of your commit of openstack-ansible names.",
                example = "[zun_service_password]",
                pattern = "[a-z][a-z0-9_]*",
                impact = ChangeImpact.RESTART)
        List<String> secrets,

        @Key(
                value = "Hosts may have less than 16 GiB of memory and 80 GiB of disk.",
                defaultValue = "false",
                impact = ChangeImpact.NOTHING)
        boolean smallHosts,

        @Key(value = "How nova-compute is configured.", impact = ChangeImpact.RESTART)
        Nova nova,

        @Key(
                value = "LXD on the compute hosts, and where their instances lie.",
                excludes = {
                    @OtherKeys(
                            value = "method=openstack-ansible",
                            when = {"lxd.given", "given=false"},
                            why =
                                    "openstack-ansible always installs the distribution's package of LXD: beside a snap that"
                                            + " makes two.",
                            fix = "Remove the key; packages that are there are kept."),
                    @OtherKeys(
                            value = "method=devstack",
                            when = {"lxd.given", "given=false"},
                            why =
                                    "DevStack's plugin nova-lxd installs the distribution's package of LXD: beside a snap that"
                                            + " makes two.",
                            fix = "Remove the key; packages that are there are kept.")
                },
                impact = ChangeImpact.RESTART)
        LxdStorage lxd,

        @Key(
                value =
                        "Another site.yaml, of provider openstack, whose machines this cloud makes as its last proof: they come up,"
                                + " answer over SSH, and go again.",
                example = "first-run.yaml",
                impact = ChangeImpact.NOTHING)
        Optional<String> firstRun)
        implements Cluster {
    static final String GIVEN = "OpenStack exists already, and deepsite configures only its compute hosts.";

    public OpenStackCloud {
        control = List.copyOf(control);
        compute = List.copyOf(compute);
        services = List.copyOf(services);
        secrets = List.copyOf(secrets);
    }

    public boolean byOpenStackAnsible() {
        return method.equals("openstack-ansible");
    }

    public boolean byDevStack() {
        return method.equals("devstack");
    }

    @Override
    public String kind() {
        return "openstack";
    }

    @Override
    public boolean runsCommands() {
        return false;
    }

    @Override
    public Set<Name> groups() {
        var groups = new LinkedHashSet<>(control);
        groups.addAll(compute);
        return groups;
    }

    @Override
    public List<Part> parts() {
        return List.of(new Part("control", control), new Part("compute", compute));
    }

    @Override
    public List<SiteNetwork> describedNetworks() {
        return networks.map(OpenStackNetworks::described).orElse(List.of());
    }

    public record Nova(
            @Key(
                    value = "The file that nova-compute reads; /etc/nova/nova.conf, with DevStack"
                            + " /etc/nova/nova-cpu.conf.",
                    example = "/etc/nova/nova-compute.conf",
                    pattern = "/[A-Za-z0-9/._-]+",
                    impact = ChangeImpact.RESTART)
            Optional<String> conf,

            @Key(
                    value = "Its unit; nova-compute.service, with DevStack devstack@n-cpu.service.",
                    example = "openstack-nova-compute.service",
                    pattern = "[A-Za-z0-9@_.-]+\\.service",
                    impact = ChangeImpact.RESTART)
            Optional<String> service) {}
}
