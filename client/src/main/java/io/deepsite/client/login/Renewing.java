package io.deepsite.client.login;

import com.nimbusds.jwt.JWTParser;
import io.deepsite.client.Login;
import io.deepsite.client.ServiceAddress;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.AuthorityFile;
import java.text.ParseException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Gets the next token of a login. */
public final class Renewing implements UnaryOperator<Login> {
    private final ServiceAddress service;
    private final Optional<AuthorityFile.Trust> trust;
    private final InstantSource clock;
    private final Map<String, String> environment;

    public Renewing(
            ServiceAddress service,
            Optional<AuthorityFile.Trust> trust,
            InstantSource clock,
            Map<String, String> environment) {
        this.service = service;
        this.trust = trust;
        this.clock = clock;
        this.environment = Map.copyOf(environment);
    }

    /** @throws Failure NOT_LOGGED_IN, LOGIN_FAILED, IDENTITY_PROVIDER */
    @Override
    public Login apply(Login login) {
        if (login.agent().isPresent()) {
            var token = new OidcAgent(environment).token(login.agent().get());
            return new Login(login.name(), token, end(token), login.renewal(), login.agent(), login.caFile());
        }
        var renewal = login.renewal().orElseThrow();
        var command = "deepsite login " + service;
        var tokens = new IdentityProvider(renewal.issuer(), renewal.clientId(), trust, clock)
                .renewed(renewal.refreshToken(), command);
        var token = renewal.idToken() ? tokens.idToken() : Optional.of(tokens.accessToken());
        var next = new Login.Renewal(
                renewal.issuer(),
                renewal.clientId(),
                tokens.refreshToken().orElse(renewal.refreshToken()),
                renewal.idToken());
        return login.with(
                token.orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.NOT_LOGGED_IN,
                        "Your login is over: " + renewal.issuer() + " gives an ID token with a login only.",
                        "Log in:",
                        command))),
                renewal.idToken() ? token.flatMap(Renewing::end) : tokens.ends().or(() -> token.flatMap(Renewing::end)),
                next);
    }

    /** When a token says that it ends; only to know when to get the next one, so its signature does not matter. */
    public static Optional<Instant> end(String token) {
        try {
            return Optional.ofNullable(JWTParser.parse(token).getJWTClaimsSet())
                    .map(claims -> claims.getExpirationTime())
                    .map(time -> time.toInstant());
        } catch (ParseException _) {
            return Optional.empty();
        }
    }
}
