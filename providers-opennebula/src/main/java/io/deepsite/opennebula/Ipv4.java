package io.deepsite.opennebula;

import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/** IPv4 addresses as numbers. */
final class Ipv4 {
    private Ipv4() {}

    static boolean is(IpAddress address) {
        return address.value().getAddress().length == 4;
    }

    static long number(IpAddress address) {
        return Integer.toUnsignedLong(
                ByteBuffer.wrap(address.value().getAddress()).getInt());
    }

    static IpAddress address(long number) {
        try {
            return new IpAddress(InetAddress.getByAddress(
                    ByteBuffer.allocate(4).putInt((int) number).array()));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** {@code 255.255.255.0}. */
    static String mask(Cidr range) {
        return address(range.prefix() == 0 ? 0 : 0xFFFF_FFFFL << (32 - range.prefix()) & 0xFFFF_FFFFL)
                .toString();
    }
}
