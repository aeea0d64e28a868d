package io.deepsite.provider;

import java.math.BigDecimal;
import java.util.regex.Pattern;

/**
 * An amount of money. YAML: {@code 0.04 EUR}.
 *
 * @param currency three letters, as in ISO 4217
 */
public record Price(BigDecimal amount, String currency) {
    public static final String PATTERN = "([0-9]{1,9}(?:[.][0-9]{1,6})?) ([A-Z]{3})";
    private static final Pattern VALID = Pattern.compile(PATTERN);

    /** @throws IllegalArgumentException with the accepted form */
    public static Price parse(String text) {
        var match = VALID.matcher(text);
        if (!match.matches()) {
            throw new IllegalArgumentException("a price carries its currency, such as 0.04 EUR");
        }
        return new Price(new BigDecimal(match.group(1)), match.group(2));
    }

    public Price times(BigDecimal factor) {
        return new Price(amount.multiply(factor), currency);
    }

    @Override
    public String toString() {
        return amount.toPlainString() + " " + currency;
    }
}
