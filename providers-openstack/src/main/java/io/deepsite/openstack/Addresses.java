package io.deepsite.openstack;

import io.deepsite.provider.AddressPool;
import io.deepsite.provider.AddressPool.Span;
import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import java.math.BigInteger;
import java.util.List;

/** Which addresses of a subnet Neutron takes, and which are left for machines. */
final class Addresses {
    /** Of IPv6 as many as a site could have machines. */
    private static final long MOST = 1L << 20;

    private Addresses() {}

    /** The addresses of a subnet that is made for a site, without those that Neutron itself takes. */
    static AddressPool ofOwn(Cidr range) {
        return AddressPool.ofOwn(from(range, 2L + reserved(range)));
    }

    static AddressPool ofShared(Cidr range, String seed) {
        return AddressPool.ofShared(List.of(from(range, 2)), List.of(), seed);
    }

    /** The router's address; the first of the range. */
    static IpAddress gateway(Cidr range) {
        return at(range, 1);
    }

    /** How many addresses behind the router's Neutron hands out itself, to its DHCP servers and the like. */
    private static int reserved(Cidr range) {
        return range.size().shiftRight(3).min(BigInteger.valueOf(16)).intValue();
    }

    static IpAddress firstOfNeutron(Cidr range) {
        return at(range, 2);
    }

    static IpAddress lastOfNeutron(Cidr range) {
        return at(range, 1L + reserved(range));
    }

    /** Up to the end, without the broadcast address of IPv4. */
    private static Span from(Cidr range, long first) {
        long end = range.size().min(BigInteger.valueOf(MOST)).longValue() - 1;
        return new Span(at(range, first), end - first);
    }

    private static IpAddress at(Cidr range, long position) {
        return range.at(BigInteger.valueOf(position));
    }
}
