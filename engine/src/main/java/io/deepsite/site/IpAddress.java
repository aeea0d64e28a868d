package io.deepsite.site;

import java.net.InetAddress;
import java.util.Optional;

/** One IPv4 or IPv6 address, in its usual form. */
public record IpAddress(InetAddress value) {
    /** What a schema can tell: the letters; {@link #parse} tells the rest. */
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
