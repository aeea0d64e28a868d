package io.deepsite.provider;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.site.IpAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AddressPoolTest {
    @Test
    void handsOutAnOwnNetworkFromItsFirstAddressOn() {
        var pool = AddressPool.ofOwn(span("10.0.0.1", "10.0.0.3"));
        pool.use(address("10.0.0.2"));

        assertThat(all(pool)).containsExactly("10.0.0.1", "10.0.0.3");
    }

    @Test
    void handsOutEachAddressOfSharedSpansOnceFromAStartOfItsOwn() {
        var spans = List.of(span("10.0.0.10", "10.0.0.19"), span("10.0.1.5", "10.0.1.9"));

        var one = all(AddressPool.ofShared(spans, List.of(), "one"));
        var other = all(AddressPool.ofShared(spans, List.of(), "other"));

        assertThat(one).hasSize(15).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(other);
        assertThat(one.getFirst()).isNotEqualTo(other.getFirst());
    }

    @Test
    void takesTheLastResortWhenAllTheRestIsUsedAndOnlyWithinTheSpans() {
        var pool = AddressPool.ofShared(
                List.of(span("10.0.0.1", "10.0.0.6")), List.of(span("10.0.0.3", "10.0.0.9")), "seed");

        var given = all(pool);

        assertThat(given.subList(0, 2)).containsExactlyInAnyOrder("10.0.0.1", "10.0.0.2");
        assertThat(given.subList(2, given.size())).containsExactly("10.0.0.3", "10.0.0.4", "10.0.0.5", "10.0.0.6");
    }

    @Test
    void knowsAddressesOfBothFamilies() {
        var pool = AddressPool.ofOwn(span("fd00::ffff", "fd00::1:1"));

        assertThat(pool.contains(address("fd00::1:0"))).isTrue();
        assertThat(pool.contains(address("fd00::1:2"))).isFalse();
        assertThat(pool.contains(address("10.0.0.1"))).isFalse();
        assertThat(all(pool)).containsExactly("fd00::ffff", "fd00::1:0", "fd00::1:1");
    }

    @Test
    void isEmptyWithoutAnAddress() {
        var pool = AddressPool.ofShared(List.of(new AddressPool.Span(address("10.0.0.1"), 0)), List.of(), "seed");

        assertThat(pool.size()).isZero();
        assertThat(pool.take()).isEmpty();
    }

    private static List<String> all(AddressPool pool) {
        var given = new ArrayList<String>();
        for (var next = pool.take(); next.isPresent(); next = pool.take()) {
            given.add(next.get().toString());
        }
        return given;
    }

    private static AddressPool.Span span(String first, String last) {
        return AddressPool.Span.between(address(first), address(last));
    }

    private static IpAddress address(String text) {
        return IpAddress.parse(text);
    }
}
