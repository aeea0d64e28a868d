package io.deepsite.openstack;

import io.deepsite.provider.Scatter;
import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Hands out fixed addresses of a subnet, each once, in their order from a start on. */
final class Addresses {
    private static final long MOST = 1L << 20;

    private final Cidr range;
    private final long first;
    private final long start;
    private final long count;
    private final Set<IpAddress> used = new HashSet<>();
    private long tried;

    private Addresses(Cidr range, long first, String seed) {
        this.range = range;
        this.first = first;
        // Of IPv6 as many as anybody has machines; without the broadcast address of IPv4.
        this.count = range.size()
                .min(BigInteger.valueOf(MOST))
                .subtract(BigInteger.valueOf(first + 1))
                .longValue();
        this.start = seed.isEmpty() || count < 1 ? 0 : Scatter.below(count, seed);
    }

    /** Of a subnet that is made for a site: those behind what Neutron itself takes. */
    static Addresses ofOwn(Cidr range) {
        return new Addresses(range, 2L + reserved(range), "");
    }

    /**
     * Of a subnet that others use too: each site starts somewhere else, because two operators who plan at the same time
     * would otherwise both be given the lowest.
     */
    static Addresses ofShared(Cidr range, String seed) {
        return new Addresses(range, 2, seed);
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

    void use(IpAddress address) {
        used.add(address);
    }

    boolean isUsed(IpAddress address) {
        return used.contains(address);
    }

    boolean contains(IpAddress address) {
        return range.contains(address);
    }

    /** Empty when every address of the subnet is taken. */
    Optional<IpAddress> take() {
        for (; tried < count; tried++) {
            var address = at(range, first + (start + tried) % count);
            if (used.add(address)) {
                return Optional.of(address);
            }
        }
        return Optional.empty();
    }

    private static IpAddress at(Cidr range, long position) {
        byte[] bytes = range.network().value().getAddress();
        var number = new BigInteger(1, bytes).add(BigInteger.valueOf(position)).toByteArray();
        var address = new byte[bytes.length];
        int length = Math.min(number.length, address.length);
        System.arraycopy(number, number.length - length, address, address.length - length, length);
        try {
            return new IpAddress(InetAddress.getByAddress(address));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }
}
