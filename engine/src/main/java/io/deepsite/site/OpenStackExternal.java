package io.deepsite.site;

import java.util.Optional;

/** An external network that an administrator's site makes: a provider network with the addresses that floating IPs are of. */
public record OpenStackExternal(
        @Key(
                value = "How the network lies on the physical one.",
                defaultValue = "flat",
                choices = {"flat", "vlan"},
                blast = Blast.REPLACE)
        String type,

        @Key(
                value =
                        "Name of the physical network, as Neutron's configuration has it (flat_networks, network_vlan_ranges).",
                example = "physnet1",
                pattern = "[^\\s,:]{1,64}",
                blast = Blast.REPLACE)
        String physical,

        @Key(value = "VLAN of type vlan.", example = "203", min = 1, max = 4094, blast = Blast.REPLACE)
        Optional<Integer> segment,

        @Key(value = "Addresses of the network.", example = "203.0.113.0/24", blast = Blast.REPLACE)
        Cidr cidr,

        @Key(value = "The way out of it.", example = "203.0.113.1", blast = Blast.REPLACE)
        IpAddress gateway,

        @Key(
                value = "First of the addresses that routers and floating IPs get.",
                example = "203.0.113.100",
                blast = Blast.REPLACE)
        IpAddress first,

        @Key(value = "Last of them.", example = "203.0.113.199", blast = Blast.REPLACE)
        IpAddress last) {}
