package io.deepsite.service.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.site.Cidr;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ForwardedForTest {
    private static Optional<String> client(List<String> proxies, String... headers) {
        var client = new ForwardedFor(proxies.stream().map(Cidr::parse).toList()).client(List.of(headers));
        return Optional.ofNullable(client).map(address -> address.getHostAddress());
    }

    @Test
    void whatTheProxyAppendedCountsAndNotWhatTheClientWrote() {
        assertThat(client(List.of(), "198.51.100.1, 192.0.2.7")).contains("192.0.2.7");
        assertThat(client(List.of(), "198.51.100.1", "192.0.2.7")).contains("192.0.2.7");
        assertThat(client(List.of(), "127.0.0.1,10.0.0.1,  192.0.2.7 ")).contains("192.0.2.7");
    }

    @Test
    void furtherProxiesAreSkipped() {
        var proxies = List.of("10.0.0.0/8", "fd00::/8");

        assertThat(client(proxies, "198.51.100.1, 192.0.2.7, 10.1.2.3, fd00::1"))
                .contains("192.0.2.7");
        assertThat(client(proxies, "10.1.2.3")).contains("10.1.2.3");
    }

    @Test
    void whatIsNoAddressEndsTheSearch() {
        assertThat(client(List.of("10.0.0.0/8"), "192.0.2.7, unknown, 10.1.2.3"))
                .contains("10.1.2.3");
        assertThat(client(List.of(), "192.0.2.7, <script>")).isEmpty();
        assertThat(client(List.of(), "192.0.2.7, localhost")).isEmpty();
        assertThat(client(List.of(), "")).isEmpty();
        assertThat(client(List.of())).isEmpty();
    }

    @Test
    void addressesOfIpv6() {
        assertThat(client(List.of(), "2001:db8::1")).contains("2001:db8:0:0:0:0:0:1");
    }
}
