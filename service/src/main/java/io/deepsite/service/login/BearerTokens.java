package io.deepsite.service.login;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.nimbusds.jwt.JWTParser;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.access.Person;
import io.deepsite.service.http.Exchange;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;

/** Tokens that programs send. A valid one is validated again only after a while; it is known by its hash. */
final class BearerTokens {
    private static final String SCHEME = "bearer ";
    private static final Duration KNOWN = Duration.ofMinutes(5);
    private static final int REMEMBERED = 10_000;

    private final OpenIdProvider provider;
    private final InstantSource clock;
    private final Cache<String, OpenIdProvider.Bearer> known = CacheBuilder.newBuilder()
            .maximumSize(REMEMBERED)
            .expireAfterWrite(KNOWN)
            .build();

    BearerTokens(OpenIdProvider provider, InstantSource clock) {
        this.provider = provider;
        this.clock = clock;
    }

    static Optional<String> sent(Exchange exchange) {
        return exchange.sent("Authorization")
                .filter(value -> value.regionMatches(true, 0, SCHEME, 0, SCHEME.length()))
                .map(value -> value.substring(SCHEME.length()).strip());
    }

    /** @throws Failure TOKEN_REFUSED, IDENTITY_PROVIDER */
    OpenIdProvider.Bearer bearer(String token) {
        var hash = OpaqueToken.hash(token);
        var bearer = known.getIfPresent(hash);
        if (bearer == null || !clock.instant().isBefore(bearer.ends())) {
            try {
                bearer = provider.bearer(JWTParser.parse(token));
            } catch (ParseException e) {
                // The library's message may quote the token, so it is not kept.
                throw refused();
            }
            known.put(hash, bearer);
        }
        return bearer;
    }

    /** Nobody once the token has ended. */
    Optional<Person> current(OpenIdProvider.Bearer bearer) {
        return Optional.of(bearer)
                .filter(one -> clock.instant().isBefore(one.ends()))
                .map(OpenIdProvider.Bearer::person);
    }

    private static Failure refused() {
        return new Failure(Diagnostic.error(
                Code.TOKEN_REFUSED,
                "What the request sends as a token is no JSON Web Token.",
                "Send a token of the identity provider."));
    }
}
