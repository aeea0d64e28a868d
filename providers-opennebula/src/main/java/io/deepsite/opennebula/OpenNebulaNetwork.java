package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Key;
import io.deepsite.site.OtherKeys;
import java.util.List;
import java.util.Optional;

/** The virtual network of a site's machines in OpenNebula. */
public record OpenNebulaNetwork(
        @Key(
                value = "Name or id of a virtual network that exists, instead of one made for the site.",
                example = "lab-net",
                impact = ChangeImpact.REPLACE)
        Optional<String> existing,

        @Key(
                value =
                        "How OpenNebula makes the network on its hosts (VN_MAD). What begins with fw lets in only what the"
                                + " site's security groups allow; 802.1Q and vxlan make networks of their own.",
                defaultValue = "fw",
                example = "vxlan",
                excludes = @OtherKeys(value = "existing", why = EXISTS, code = Code.NO_EFFECT),
                pattern = "[A-Za-z0-9_.-]{1,40}",
                impact = ChangeImpact.REPLACE)
        String driver,

        @Key(
                value = "Bridge of the hosts for the network that is made; OpenNebula's own when left out.",
                example = "br0",
                excludes = @OtherKeys(value = "existing", why = EXISTS, code = Code.NO_EFFECT),
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,14}",
                impact = ChangeImpact.REPLACE)
        Optional<String> bridge,

        @Key(
                value = "Network card of the hosts that the network leaves by.",
                example = "eth1",
                excludes = @OtherKeys(value = "existing", why = EXISTS, code = Code.NO_EFFECT),
                pattern = "[A-Za-z0-9][A-Za-z0-9._-]{0,14}",
                impact = ChangeImpact.REPLACE)
        Optional<String> device,

        @Key(
                value = "VLAN, or VXLAN, of the network that is made; OpenNebula chooses one when left out.",
                example = "112",
                excludes = @OtherKeys(value = "existing", why = EXISTS, code = Code.NO_EFFECT),
                min = 1,
                max = 16_777_215,
                impact = ChangeImpact.REPLACE)
        Optional<Integer> vlan,

        @Key(
                value = "Addresses of the network that is made.",
                defaultValue = "10.65.0.0/24",
                example = "192.168.40.0/22",
                excludes = @OtherKeys(value = "existing", why = EXISTS, code = Code.NO_EFFECT),
                impact = ChangeImpact.REPLACE)
        Cidr cidr,

        @Key(
                value = "The router of the network that is made, where it has one: an address that no machine gets.",
                example = "10.65.0.1",
                excludes = @OtherKeys(value = "existing", why = EXISTS, code = Code.NO_EFFECT))
        Optional<IpAddress> gateway,

        @Key(
                value = "Name servers of the machines on the network that is made.",
                example = "[10.0.0.2]",
                excludes = @OtherKeys(value = "existing", why = EXISTS, code = Code.NO_EFFECT))
        List<IpAddress> dns,

        @Key(
                value = "Where SSH to the machines may come from; from anywhere when left out.",
                example = "[192.0.2.0/24]")
        List<Cidr> sshFrom) {

    static final String EXISTS = "The network exists already, and has its addresses and name servers.";

    public OpenNebulaNetwork {
        dns = List.copyOf(dns);
        sshFrom = List.copyOf(sshFrom);
    }
}
