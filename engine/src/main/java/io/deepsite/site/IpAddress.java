package io.deepsite.site;

import java.math.BigInteger;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;

/** One IPv4 or IPv6 address, in its usual form. */
public record IpAddress(InetAddress value) {
    /** What a schema can check: the characters; {@link #parse} checks the rest. */
    public static final String PATTERN = "[0-9]{1,3}([.][0-9]{1,3}){3}|[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*";

    private static final String WANTED = "an address is written like 192.0.2.10 or 2001:db8::10";

    /** @throws IllegalArgumentException with the accepted forms */
    public static IpAddress parse(String text) {
        if (!text.matches(PATTERN)) {
            throw new IllegalArgumentException(WANTED);
        }
        try {
            return new IpAddress(InetAddress.ofLiteral(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(WANTED, e);
        }
    }

    /** Empty for a text that is no address, such as a name. */
    public static Optional<IpAddress> find(String text) {
        try {
            return Optional.of(parse(text));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    public boolean isIpv6() {
        return value.getAddress().length == 16;
    }

    /** The address as an unsigned number. */
    public BigInteger number() {
        return new BigInteger(1, value.getAddress());
    }

    /** The address that many places behind this one; at the end of its family it begins again at zero. */
    public IpAddress plus(BigInteger distance) {
        var bytes = value.getAddress();
        var number = number().add(distance);
        for (int i = bytes.length - 1; i >= 0; i--) {
            bytes[i] = number.byteValue();
            number = number.shiftRight(8);
        }
        try {
            return new IpAddress(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** As people write it: IPv6 with {@code ::} for its first run of zeros. */
    @Override
    public String toString() {
        var bytes = value.getAddress();
        if (bytes.length == 4) {
            return value.getHostAddress();
        }
        return value.getHostAddress().replaceFirst("(^|:)0(:0)+(:|$)", "::");
    }
}
