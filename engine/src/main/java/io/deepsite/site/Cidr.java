package io.deepsite.site;

import java.math.BigInteger;
import java.util.regex.Pattern;

/** A range of addresses, {@code 10.64.0.0/24}; the bits behind the prefix are zero. */
public record Cidr(IpAddress network, int prefix) {
    public static final String PATTERN = "(" + IpAddress.PATTERN + ")/([0-9]{1,3})";

    private static final Pattern VALID = Pattern.compile(PATTERN);
    private static final String WANTED = "a range is written like 10.64.0.0/24 or fd00:64::/64";

    public Cidr {
        int bits = bits(network);
        if (prefix < 0 || prefix > bits) {
            throw new IllegalArgumentException("the number after the slash is 0 to " + bits);
        }
        if (network.number().getLowestSetBit() >= 0 && network.number().getLowestSetBit() < bits - prefix) {
            throw new IllegalArgumentException(
                    network + " is an address inside the range; write its first address, and /" + prefix);
        }
    }

    /** @throws IllegalArgumentException with the accepted forms */
    public static Cidr parse(String text) {
        var match = VALID.matcher(text);
        if (!match.matches()) {
            throw new IllegalArgumentException(WANTED);
        }
        return new Cidr(IpAddress.parse(match.group(1)), Integer.parseInt(match.group(3)));
    }

    public boolean isIpv6() {
        return network.isIpv6();
    }

    /** False for an address of the other family. */
    public boolean contains(IpAddress address) {
        int behind = bits(network) - prefix;
        return bits(address) == bits(network)
                && address.number().shiftRight(behind).equals(network.number().shiftRight(behind));
    }

    /** The two share an address; false for ranges of different families. */
    public boolean overlaps(Cidr other) {
        return prefix <= other.prefix ? contains(other.network) : other.contains(network);
    }

    /** How many addresses the range holds, the network's own and the broadcast address included. */
    public BigInteger size() {
        return BigInteger.ONE.shiftLeft(bits(network) - prefix);
    }

    /** How far behind the first address of the range one lies. */
    public BigInteger position(IpAddress address) {
        return address.number().subtract(network.number());
    }

    /** The address so far behind the first one; see {@link #position}. */
    public IpAddress at(BigInteger position) {
        return network.plus(position);
    }

    private static int bits(IpAddress address) {
        return address.isIpv6() ? 128 : 32;
    }

    @Override
    public String toString() {
        return network + "/" + prefix;
    }
}
