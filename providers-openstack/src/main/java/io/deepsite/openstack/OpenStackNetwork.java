package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Key;
import io.deepsite.site.OtherKeys;
import java.util.List;
import java.util.Optional;

/** The network of a site's machines in an OpenStack tenant. */
public record OpenStackNetwork(
        @Key(
                value = "Name or id of a network that exists, instead of one made for the site.",
                example = "lab-net",
                impact = ChangeImpact.REPLACE)
        Optional<String> existing,

        @Key(
                value = "Addresses of the network that is made.",
                defaultValue = "10.64.0.0/24",
                example = "192.168.40.0/22",
                excludes = @OtherKeys(value = "existing", why = EXISTS, code = Code.NO_EFFECT),
                impact = ChangeImpact.REPLACE)
        Cidr cidr,

        @Key(
                value = "IPv6 addresses beside them, for the network that is made.",
                example = "fd00:64::/64",
                excludes = @OtherKeys(value = "existing", why = EXISTS, code = Code.NO_EFFECT),
                impact = ChangeImpact.REPLACE)
        Optional<Cidr> ipv6,

        @Key(
                value = "Name servers of the machines; the cloud's own when left out.",
                example = "[10.0.0.2]",
                excludes = @OtherKeys(value = "existing", why = EXISTS, code = Code.NO_EFFECT))
        List<IpAddress> dns,

        @Key(
                value = "Name or id of the external network: the router's way out, and where floating IPs come from."
                        + " Without it no router is made.",
                example = "public",
                impact = ChangeImpact.REPLACE)
        Optional<String> external,

        @Key(
                value =
                        "An external network that is made for the site and goes with it, instead of one that exists; this"
                                + " takes an administrator's rights.",
                excludes = {
                    @OtherKeys(
                            value = "external",
                            why = "The external network is one that exists, or one that is made."),
                    @OtherKeys(
                            value = "existing",
                            why = "No router is made for a network that exists.",
                            code = Code.NO_EFFECT)
                },
                impact = ChangeImpact.REPLACE)
        Optional<OpenStackExternal> externalNetwork,

        @Key(
                value = "Where SSH and pings to the machines may come from; from anywhere when left out.",
                example = "[192.0.2.0/24]")
        List<Cidr> sshFrom) {

    static final String EXISTS = "The network exists already, and has its addresses and name servers.";

    public OpenStackNetwork {
        dns = List.copyOf(dns);
        sshFrom = List.copyOf(sshFrom);
    }

    /** There is a router, and floating IPs may be had. */
    public boolean leadsOut() {
        return external.isPresent() || externalNetwork.isPresent();
    }
}
