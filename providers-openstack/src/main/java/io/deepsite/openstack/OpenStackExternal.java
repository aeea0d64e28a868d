package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Key;
import io.deepsite.site.OtherKeys;
import java.util.Optional;

/** An external network that an administrator's site makes: a provider network with the addresses that floating IPs are of. */
public record OpenStackExternal(
        @Key(
                value = "How the network lies on the physical one.",
                defaultValue = "flat",
                choices = {"flat", "vlan"},
                requires =
                        @OtherKeys(
                                value = "segment",
                                when = "type=vlan",
                                why = "The network is one VLAN of the physical one."),
                impact = ChangeImpact.REPLACE)
        String type,

        @Key(
                value =
                        "Name of the physical network, as Neutron's configuration has it (flat_networks, network_vlan_ranges).",
                example = "physnet1",
                pattern = "[^\\s,:]{1,64}",
                impact = ChangeImpact.REPLACE)
        String physical,

        @Key(
                value = "VLAN of type vlan.",
                example = "203",
                requires = @OtherKeys(value = "type=vlan", code = Code.NO_EFFECT),
                min = 1,
                max = 4094,
                impact = ChangeImpact.REPLACE)
        Optional<Integer> segment,

        @Key(value = "Addresses of the network.", example = "203.0.113.0/24", impact = ChangeImpact.REPLACE)
        Cidr cidr,

        @Key(value = "The way out of it.", example = "203.0.113.1", impact = ChangeImpact.REPLACE)
        IpAddress gateway,

        @Key(
                value = "First of the addresses that routers and floating IPs get.",
                example = "203.0.113.100",
                impact = ChangeImpact.REPLACE)
        IpAddress first,

        @Key(value = "Last of them.", example = "203.0.113.199", impact = ChangeImpact.REPLACE)
        IpAddress last) {}
