package io.deepsite.provider;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PriceTest {
    @ParameterizedTest
    @ValueSource(strings = {"0.04 EUR", "12 USD", "0.000001 CHF"})
    void writesWhatItReads(String text) {
        assertThat(Price.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.04", "EUR 1", "-1 EUR", "1 eur", "1 Euro", "1,50 EUR", ".5 EUR", "1EUR"})
    void refusesWhatIsNoPrice(String text) {
        assertThatThrownBy(() -> Price.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a price carries its currency, such as 0.04 EUR");
    }

    @Test
    void isNotRounded() {
        assertThat(Price.parse("0.000001 EUR").times(new BigDecimal("3"))).hasToString("0.000003 EUR");
    }
}
