package io.deepsite.service.login;

import io.deepsite.site.Key;

/** How many requests the service answers. Each replica counts its own. */
public record LimitSettings(
        @Key(
                value = "Requests of one address in a minute; of IPv6, of one network of 64 bits. Whole institutes may"
                        + " have one address.",
                defaultValue = "3000",
                min = 1,
                max = 1_000_000)
        int perAddress,

        @Key(value = "Requests of one person in a minute.", defaultValue = "1200", min = 1, max = 1_000_000)
        int perPerson,

        @Key(
                value =
                        "Logins that one address begins in a minute; also logins, sessions and tokens of it that are refused.",
                defaultValue = "300",
                min = 1,
                max = 1_000_000)
        int loginsPerAddress) {
    public static final LimitSettings DEFAULT = new LimitSettings(3000, 1200, 300);
}
