package io.deepsite.opennebula;

import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cidr;
import io.deepsite.site.ImageName;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.Ordered;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.SiteNetwork;
import io.deepsite.site.Span;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A user of an OpenNebula front-end. The session string, {@code user:password}, is in a file or the environment,
 * never here.
 *
 * @param images by the name that {@code machines.*.image} gives
 * @param groups by machine group
 */
public record OpenNebulaSettings(
        @Key(
                value = "Where the front-end answers XML-RPC. Without it ONE_XMLRPC names it, else it is"
                        + " http://localhost:2633/RPC2.",
                example = "https://one.example:2633/RPC2",
                pattern = "https?://[A-Za-z0-9.\\[\\]:-]+(/[A-Za-z0-9/._-]*)?",
                impact = ChangeImpact.REPLACE)
        Optional<String> endpoint,

        @Key(
                value = "File with the session string, user:password. Without it the file that ONE_AUTH names, else"
                        + " ~/.one/one_auth.",
                example = "~/.one/lab_auth")
        Optional<String> auth,

        @Key(
                value = "Certificate (PEM) of the authority that signed the front-end's, where it has one of its own.",
                example = "one-ca.pem")
        Optional<String> authority,

        @Key(value = "The virtual network of the machines; made when none is named.", impact = ChangeImpact.REPLACE)
        OpenNebulaNetwork network,

        @Key("Where images come from, by the name that machine groups use. One that is not here is an image of"
                + " OpenNebula with that name.")
        Map<ImageName, OpenNebulaImage> images,

        @Key("What only OpenNebula asks of a machine group, by the group's name.")
        Map<Name, OpenNebulaMachines> groups,

        @Key(
                value =
                        "Name or id of the datastore for images and data disks that are made. Without it the first image"
                                + " datastore.",
                example = "default",
                impact = ChangeImpact.REPLACE)
        Optional<String> datastore,

        @Key(
                value = "How long a machine may wait for a host before apply gives up on it.",
                defaultValue = "10m",
                example = "1h")
        Span patience)
        implements ProviderSettings {
    public OpenNebulaSettings {
        images = Ordered.copy(images);
        groups = Ordered.copy(groups);
    }

    @Override
    public String provider() {
        return "opennebula";
    }

    @Override
    public Optional<Cidr> machineRange() {
        return Optional.of(network.cidr());
    }

    @Override
    public List<SiteNetwork> describedNetworks() {
        return List.of(network.existing()
                .map(name -> new SiteNetwork(name, Optional.empty(), "virtual network of OpenNebula"))
                .orElseGet(() -> new SiteNetwork(
                        "machines",
                        Optional.of(network.cidr()),
                        "virtual network made for the site, " + network.driver())));
    }

    @Override
    public boolean attachesVolumes() {
        return true;
    }

    @Override
    public CardAddresses cardAddresses() {
        return CardAddresses.OF_SOME_HOST;
    }
}
