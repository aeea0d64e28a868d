package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.Ordered;
import io.deepsite.site.OtherKeys;
import io.deepsite.site.Size;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What only OpenStack asks of one machine group. */
public record OpenStackMachines(
        @Key(
                value =
                        "Name or id of the flavor. Without it the smallest that has the group's cpus, memory, disk and gpus.",
                example = "m1.large",
                impact = ChangeImpact.REPLACE)
        Optional<String> flavor,

        @Key(
                value = "Extra specs that the flavor has; a flavor that is made gets them.",
                example = "{\"hw:cpu_policy\": dedicated}",
                excludes =
                        @OtherKeys(value = "flavor", why = "A flavor that exists has its own.", code = Code.NO_EFFECT),
                impact = ChangeImpact.REPLACE)
        Map<String, String> extraSpecs,

        @Key(value = "Availability zone.", example = "nova", impact = ChangeImpact.REPLACE)
        Optional<String> zone,

        @Key(
                value = "How the group's machines lie on the cloud's hosts; soft means where possible.",
                example = "soft-anti-affinity",
                choices = {"affinity", "anti-affinity", "soft-affinity", "soft-anti-affinity"},
                impact = ChangeImpact.REPLACE)
        Optional<String> placement,

        @Key(value = "Give each machine a floating IP.", defaultValue = "false")
        boolean floatingIps,

        @Key(
                value = "Fixed addresses of the machines, in their order; the plan chooses free ones when left out.",
                example = "[10.64.0.10]",
                impact = ChangeImpact.REPLACE)
        List<IpAddress> addresses,

        @Key(
                value = "Start from a volume of the group's disk size instead of the flavor's own disk.",
                impact = ChangeImpact.REPLACE)
        Optional<BootVolume> bootVolume,

        @Key(value = "Data volumes of each machine, by name; they are attached empty.", impact = ChangeImpact.REPLACE)
        Map<Name, DataVolume> volumes,

        @Key(value = "Security groups that exist, besides those made for the site.", example = "[monitoring]")
        List<String> securityGroups,

        @Key("Metadata of the machines. Keys that begin with deepsite are deepsite's own.")
        Map<String, String> metadata,

        @Key(
                value = "Hand user data over on a drive, where the network has no metadata service.",
                defaultValue = "false",
                impact = ChangeImpact.REPLACE)
        boolean configDrive,

        @Key(
                value = "A file for cloud-init, besides what deepsite itself hands over: #cloud-config or a script.",
                example = "cloud-init/node.yml",
                impact = ChangeImpact.REPLACE)
        Optional<String> userData) {

    public static final OpenStackMachines NONE = new OpenStackMachines(
            Optional.empty(),
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            false,
            List.of(),
            Optional.empty(),
            Map.of(),
            List.of(),
            Map.of(),
            false,
            Optional.empty());

    public OpenStackMachines {
        extraSpecs = Ordered.copy(extraSpecs);
        addresses = List.copyOf(addresses);
        volumes = Ordered.copy(volumes);
        securityGroups = List.copyOf(securityGroups);
        metadata = Ordered.copy(metadata);
    }

    public record BootVolume(
            @Key(
                    value = "Type of the volume; the cloud's default when left out.",
                    example = "ssd",
                    impact = ChangeImpact.REPLACE)
            Optional<String> type) {}

    public record DataVolume(
            @Key(value = "Size of the volume, in whole GiB.", example = "100GiB", impact = ChangeImpact.REPLACE)
            Size size,

            @Key(
                    value = "Type of the volume; the cloud's default when left out.",
                    example = "ssd",
                    impact = ChangeImpact.REPLACE)
            Optional<String> type) {}
}
