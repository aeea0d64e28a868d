package io.deepsite.lxd;

import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import java.math.BigInteger;
import java.util.Optional;

/**
 * An IPv4 subnet.
 *
 * @param address of the host in it that named it, such as a bridge's own
 */
record Subnet(IpAddress address, Cidr range) {
    /** Of at least this prefix length; a shorter one is a fault of the host. */
    private static final int WIDEST = 8;

    /** Empty unless it is an address with a prefix, {@code 10.77.0.1/24}. */
    static Optional<Subnet> parse(String cidr) {
        int slash = cidr.indexOf('/');
        if (slash < 0 || !cidr.substring(slash + 1).matches("[0-9]{1,2}")) {
            return Optional.empty();
        }
        int prefix = Integer.parseInt(cidr.substring(slash + 1));
        return IpAddress.find(cidr.substring(0, slash))
                .filter(address -> !address.isIpv6() && prefix >= WIDEST && prefix <= 32)
                .map(address -> of(address, prefix));
    }

    private static Subnet of(IpAddress address, int prefix) {
        var host = BigInteger.ONE.shiftLeft(32 - prefix).subtract(BigInteger.ONE);
        var network = address.plus(address.number().and(host).negate());
        return new Subnet(address, new Cidr(network, prefix));
    }

    boolean overlaps(Subnet other) {
        return range.overlaps(other.range);
    }

    @Override
    public String toString() {
        return address + "/" + range.prefix();
    }
}
