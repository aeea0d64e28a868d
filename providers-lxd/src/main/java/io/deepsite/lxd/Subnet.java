package io.deepsite.lxd;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An IPv4 subnet.
 *
 * @param address the address it was given with, such as a bridge's own
 * @param prefix length, 8 to 30
 */
record Subnet(long address, int prefix) {
    private static final Pattern IPV4 = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");

    /** Empty unless it is an address with a prefix, {@code 10.77.0.1/24}. */
    static Optional<Subnet> parse(String cidr) {
        int slash = cidr.indexOf('/');
        if (slash < 0) {
            return Optional.empty();
        }
        try {
            int prefix = Integer.parseInt(cidr.substring(slash + 1));
            return prefix < 8 || prefix > 32
                    ? Optional.empty()
                    : number(cidr.substring(0, slash)).map(address -> new Subnet(address, prefix));
        } catch (NumberFormatException _) {
            return Optional.empty();
        }
    }

    static Optional<Long> number(String address) {
        var match = IPV4.matcher(address);
        if (!match.matches()) {
            return Optional.empty();
        }
        long number = 0;
        for (int i = 1; i <= 4; i++) {
            number = number << 8 | Integer.parseInt(match.group(i));
        }
        return Optional.of(number);
    }

    static String text(long address) {
        return (address >> 24) + "." + (address >> 16 & 255) + "." + (address >> 8 & 255) + "." + (address & 255);
    }

    long first() {
        return address & ~(size() - 1);
    }

    /** The broadcast address. */
    long last() {
        return first() + size() - 1;
    }

    long size() {
        return 1L << (32 - prefix);
    }

    boolean contains(long other) {
        return other >= first() && other <= last();
    }

    boolean overlaps(Subnet other) {
        return contains(other.first()) || other.contains(first());
    }

    @Override
    public String toString() {
        return text(address) + "/" + prefix;
    }
}
