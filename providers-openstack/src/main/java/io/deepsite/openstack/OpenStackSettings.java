package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.provider.Price;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cidr;
import io.deepsite.site.ImageName;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.Ordered;
import io.deepsite.site.OtherKeys;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.SiteNetwork;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A tenant of an OpenStack cloud. Credentials are in clouds.yaml or the environment, never here.
 *
 * @param images by the name that {@code machines.*.image} gives
 * @param groups by machine group
 * @param prices by name of the flavor
 */
public record OpenStackSettings(
        @Key(
                value = "Name of the cloud in clouds.yaml. Without it OS_CLOUD names it, or the other OS_* variables"
                        + " tell all.",
                example = "lab",
                pattern = "[^\\s]{1,200}",
                impact = ChangeImpact.REPLACE)
        Optional<String> cloud,

        @Key(
                value = "Region of the cloud. Without it that of clouds.yaml or OS_REGION_NAME, else the only one.",
                example = "RegionOne",
                pattern = "[^\\s]{1,255}",
                impact = ChangeImpact.REPLACE)
        Optional<String> region,

        @Key(
                value = "Which endpoints of the cloud are called. Without it that of clouds.yaml or OS_INTERFACE, else"
                        + " public.",
                name = "interface",
                example = "internal",
                choices = {"public", "internal"})
        Optional<String> facing,

        @Key(value = "The network of the machines; made when none is named.", impact = ChangeImpact.REPLACE)
        OpenStackNetwork network,

        @Key("Where images come from, by the name that machine groups use. One that is not here is an image of the"
                + " cloud with that name.")
        Map<ImageName, OpenStackImage> images,

        @Key("What only OpenStack asks of a machine group, by the group's name.")
        Map<Name, OpenStackMachines> groups,

        @Key(
                value = "The group whose first machine has a floating IP and is the SSH jump host of all others.",
                example = "head",
                requires =
                        @OtherKeys(
                                value = {"network.external", "network.externalNetwork"},
                                why = "The bastion is reached by a floating IP, which comes from an external network.",
                                fix = "Add \"external: NAME\" to provider.openstack.network. This lists them:",
                                commands = "openstack network list --external",
                                code = Code.EXTERNAL_NETWORK_NEEDED))
        Optional<Name> bastion,

        @Key(
                value = "Make flavors that fit exactly where the cloud has none; this takes an administrator's rights.",
                defaultValue = "false")
        boolean createFlavors,

        @Key(
                value = "How often a machine that the cloud fails to make is deleted and made again.",
                defaultValue = "2",
                example = "3",
                min = 0,
                max = 10)
        int retries,

        @Key(
                value = "Price of a machine for an hour, by flavor. Plans then say what the site costs.",
                example = "0.04 EUR")
        Map<String, Price> prices)
        implements ProviderSettings {
    public OpenStackSettings {
        images = Ordered.copy(images);
        groups = Ordered.copy(groups);
        prices = Ordered.copy(prices);
    }

    @Override
    public String provider() {
        return "openstack";
    }

    @Override
    public SiteEnd siteEnd() {
        return SiteEnd.BY_A_TIMER;
    }

    @Override
    public Optional<Cidr> machineRange() {
        return Optional.of(network.cidr());
    }

    @Override
    public List<SiteNetwork> describedNetworks() {
        var way = network.external()
                .or(() -> network.externalNetwork().map(_ -> "an external network made for it"))
                .map(name -> ", with a router to " + name)
                .orElse("");
        return List.of(network.existing()
                .map(name -> new SiteNetwork(name, Optional.empty(), "network of the cloud"))
                .orElseGet(() -> new SiteNetwork("machines", Optional.of(network.cidr()), "made for the site" + way)));
    }

    @Override
    public boolean attachesVolumes() {
        return true;
    }

    /** Neutron's port security lets a port's own addresses through, and no others. */
    @Override
    public boolean takesMoreAddresses() {
        return false;
    }

    @Override
    public CardAddresses cardAddresses() {
        return CardAddresses.REFUSED;
    }
}
