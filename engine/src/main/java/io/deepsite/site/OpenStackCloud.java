package io.deepsite.site;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** An OpenStack cloud whose hypervisor is LXD. */
@Kind("openstack")
public record OpenStackCloud(
        @Key(
                value = "Who installed OpenStack: DevStack, or the distribution's packages.",
                example = "packages",
                choices = {"devstack", "packages", "openstack-ansible", "juju"},
                blast = Blast.REPLACE)
        String method,

        @Key(
                value = "Its release, a word: queens, rocky and stein have the driver for LXD.",
                example = "stein",
                pattern = "[a-z]{4,12}",
                blast = Blast.REPLACE)
        String release,

        @Key(
                value = "OpenStack stands already; its compute hosts are put right, and nothing else is touched.",
                defaultValue = "false",
                blast = Blast.NOTHING)
        boolean given,

        @Key(
                value = "The groups whose machines are compute hosts.",
                example = "[compute]",
                required = true,
                blast = Blast.RESTART)
        List<Name> compute,

        @Key(value = "How nova-compute is configured.", blast = Blast.RESTART)
        Nova nova,

        @Key(value = "LXD on the compute hosts, and where their instances lie.", blast = Blast.RESTART)
        LxdStorage lxd,

        @Key(
                value =
                        "Another site.yaml, of provider openstack, whose machines this cloud makes as its last proof: they come up,"
                                + " answer over SSH, and go again.",
                example = "first-run.yaml",
                blast = Blast.NOTHING)
        Optional<String> firstRun)
        implements Cluster {
    public OpenStackCloud {
        compute = List.copyOf(compute);
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
        return new LinkedHashSet<>(compute);
    }

    public record Nova(
            @Key(
                    value = "The file that nova-compute reads; /etc/nova/nova.conf, with DevStack"
                            + " /etc/nova/nova-cpu.conf.",
                    example = "/etc/nova/nova-compute.conf",
                    pattern = "/[A-Za-z0-9/._-]+",
                    blast = Blast.RESTART)
            Optional<String> conf,

            @Key(
                    value = "Its unit; nova-compute.service, with DevStack devstack@n-cpu.service.",
                    example = "openstack-nova-compute.service",
                    pattern = "[A-Za-z0-9@_.-]+\\.service",
                    blast = Blast.RESTART)
            Optional<String> service) {}
}
