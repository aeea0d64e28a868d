package io.deepsite.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CidrTest {

    @ParameterizedTest
    @ValueSource(strings = {"10.64.0.0/24", "0.0.0.0/0", "192.0.2.7/32", "fd00:64::/64", "::/0", "2001:db8:0:0:1::/80"})
    void readsWhatItIsWrittenAs(String text) {
        assertThat(Cidr.parse(text)).isEqualTo(Cidr.parse(Cidr.parse(text).toString()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "10.64.0.1/24",
                "10.64.0.0/33",
                "10.64.0.0",
                "10.64.0/24",
                "10.64.0.256/32",
                "fd00:64::1/64",
                "fd00::/129",
                "example.org/24"
            })
    void refusesWhatIsNoRange(String text) {
        assertThatThrownBy(() -> Cidr.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void holdsItsFirstAndLastAddressAndNoOther() {
        var range = Cidr.parse("10.64.0.0/23");

        assertThat(range.contains(IpAddress.parse("10.64.0.0"))).isTrue();
        assertThat(range.contains(IpAddress.parse("10.64.1.255"))).isTrue();
        assertThat(range.contains(IpAddress.parse("10.64.2.0"))).isFalse();
        assertThat(range.contains(IpAddress.parse("10.63.255.255"))).isFalse();
        assertThat(range.contains(IpAddress.parse("fd00::1"))).isFalse();
        assertThat(range.size()).isEqualTo(512);
        assertThat(range.position(IpAddress.parse("10.64.1.2"))).isEqualTo(258);
    }

    @Test
    void shortensAddressesOfIpv6() {
        assertThat(IpAddress.parse("fd00:64:0:0:0:0:0:10")).hasToString("fd00:64::10");
        assertThat(IpAddress.parse("0:0:0:0:0:0:0:0")).hasToString("::");
        assertThat(IpAddress.parse("2001:db8::")).hasToString("2001:db8::");
        assertThat(Cidr.parse("fd00:64:0:0::/64")).hasToString("fd00:64::/64");
    }
}
