package io.deepsite.provider;

import io.deepsite.site.IpAddress;
import java.math.BigInteger;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Hands out addresses of a network, each once. */
public final class AddressPool {
    private final List<Span> spans;
    private final List<Span> lastResort;
    private final long count;
    private final long start;
    private final Set<IpAddress> used = new HashSet<>();
    private long tried;

    /** Consecutive addresses of one family. */
    public record Span(IpAddress first, long size) {
        public static Span between(IpAddress first, IpAddress last) {
            return new Span(
                    first,
                    last.number().subtract(first.number()).add(BigInteger.ONE).longValueExact());
        }

        boolean contains(IpAddress address) {
            var distance = address.number().subtract(first.number());
            return address.isIpv6() == first.isIpv6()
                    && distance.signum() >= 0
                    && distance.compareTo(BigInteger.valueOf(size)) < 0;
        }
    }

    private AddressPool(List<Span> spans, List<Span> lastResort, String seed) {
        this.spans = spans.stream().filter(span -> span.size() > 0).toList();
        this.lastResort = List.copyOf(lastResort);
        this.count = this.spans.stream().mapToLong(Span::size).sum();
        this.start = seed.isEmpty() || count < 1 ? 0 : Scatter.below(count, seed);
    }

    /** The addresses of a network that only this site uses, from the first on. */
    public static AddressPool ofOwn(Span span) {
        return new AddressPool(List.of(span), List.of(), "");
    }

    /**
     * The addresses of a network that others use too. Each site starts at another address: two operators who plan at the same
     * time would otherwise both get the lowest.
     *
     * @param lastResort parts of the spans that are used when all the rest is, such as ranges of a DHCP server
     * @param seed decides the start; not empty
     */
    public static AddressPool ofShared(List<Span> spans, List<Span> lastResort, String seed) {
        return new AddressPool(spans, lastResort, seed);
    }

    /** How many addresses there are, used ones included. */
    public long size() {
        return count;
    }

    public void use(IpAddress address) {
        used.add(address);
    }

    public boolean isUsed(IpAddress address) {
        return used.contains(address);
    }

    public boolean contains(IpAddress address) {
        return isIn(spans, address);
    }

    /** Empty when every address is used. */
    public Optional<IpAddress> take() {
        for (; tried < count; tried++) {
            var address = at((start + tried) % count);
            if (!isIn(lastResort, address) && used.add(address)) {
                return Optional.of(address);
            }
        }
        for (var span : lastResort) {
            for (long i = 0; i < span.size(); i++) {
                var address = span.first().plus(BigInteger.valueOf(i));
                if (contains(address) && used.add(address)) {
                    return Optional.of(address);
                }
            }
        }
        return Optional.empty();
    }

    private IpAddress at(long position) {
        long left = position;
        for (var span : spans) {
            if (left < span.size()) {
                return span.first().plus(BigInteger.valueOf(left));
            }
            left -= span.size();
        }
        throw new IllegalStateException("no address at " + position);
    }

    private static boolean isIn(List<Span> spans, IpAddress address) {
        return spans.stream().anyMatch(span -> span.contains(address));
    }
}
