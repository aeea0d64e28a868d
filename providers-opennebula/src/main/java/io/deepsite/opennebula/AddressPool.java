package io.deepsite.opennebula;

import io.deepsite.provider.Scatter;
import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Allocates addresses of a virtual network, each once. */
final class AddressPool {
    private final List<Span> spans;
    private final long start;
    private final long count;
    private final Set<Long> used = new HashSet<>();
    private long tried;

    private record Span(long first, long size) {
        boolean contains(long number) {
            return number >= first && number < first + size;
        }
    }

    private AddressPool(List<Span> spans, String seed) {
        this.spans = spans;
        this.count = spans.stream().mapToLong(Span::size).sum();
        this.start = seed.isEmpty() || count < 1 ? 0 : Scatter.below(count, seed);
    }

    /** For a network that deepsite makes: all but the range's own and the broadcast address. */
    static AddressPool ofOwn(Cidr range) {
        return new AddressPool(
                List.of(new Span(Ipv4.number(range.network()) + 1, range.size().longValueExact() - 2)), "");
    }

    /**
     * For a shared network: the start depends on the site, because two sites that are planned at the same time would
     * otherwise both get the lowest address.
     */
    static AddressPool ofShared(List<Snapshot.Range> ranges, String seed) {
        return new AddressPool(
                ranges.stream()
                        .filter(range -> Ipv4.is(range.first()) && range.size() > 0)
                        .map(range -> new Span(Ipv4.number(range.first()), range.size()))
                        .toList(),
                seed);
    }

    long size() {
        return count;
    }

    void use(IpAddress address) {
        if (Ipv4.is(address)) {
            used.add(Ipv4.number(address));
        }
    }

    boolean isUsed(IpAddress address) {
        return Ipv4.is(address) && used.contains(Ipv4.number(address));
    }

    boolean contains(IpAddress address) {
        return Ipv4.is(address) && spans.stream().anyMatch(span -> span.contains(Ipv4.number(address)));
    }

    /** Empty when every address is taken. */
    Optional<IpAddress> take() {
        for (; tried < count; tried++) {
            long number = at((start + tried) % count);
            if (used.add(number)) {
                return Optional.of(Ipv4.address(number));
            }
        }
        return Optional.empty();
    }

    private long at(long position) {
        long left = position;
        for (var span : spans) {
            if (left < span.size()) {
                return span.first() + left;
            }
            left -= span.size();
        }
        throw new IllegalStateException("no address at " + position);
    }
}
