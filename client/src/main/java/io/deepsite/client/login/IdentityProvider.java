package io.deepsite.client.login;

import com.nimbusds.oauth2.sdk.AuthorizationGrant;
import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.GeneralException;
import com.nimbusds.oauth2.sdk.OAuth2Error;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.TokenRevocationRequest;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.token.RefreshToken;
import com.nimbusds.openid.connect.sdk.OIDCScopeValue;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import com.nimbusds.openid.connect.sdk.token.OIDCTokens;
import io.deepsite.client.ServiceAddress;
import io.deepsite.cluster.OpenId;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.PlainText;
import io.deepsite.provider.AuthorityFile;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** An identity provider, and the client without a secret that it knows this program by. */
public final class IdentityProvider {
    private static final int TIMEOUT = (int) Duration.ofSeconds(20).toMillis();
    private static final int LONGEST_REASON = 300;
    /** Faults of the provider itself: the login is as good as before. */
    private static final Set<String> PASSING =
            Set.of(OAuth2Error.SERVER_ERROR_CODE, OAuth2Error.TEMPORARILY_UNAVAILABLE_CODE);

    private final String issuer;
    private final ClientID client;
    private final @Nullable SSLSocketFactory sockets;
    private final InstantSource clock;
    private final OIDCProviderMetadata metadata;

    /** @throws Failure IDENTITY_PROVIDER */
    public IdentityProvider(String issuer, String clientId, Optional<AuthorityFile.Trust> trust, InstantSource clock) {
        this.issuer = issuer;
        this.client = new ClientID(clientId);
        this.sockets = trust.map(AuthorityFile.Trust::sockets).orElse(null);
        this.clock = clock;
        this.metadata = discovered();
    }

    public boolean hasDeviceFlow() {
        return metadata.getDeviceAuthorizationEndpointURI() != null;
    }

    /**
     * The next tokens; the old refresh token may be worth nothing afterwards.
     *
     * @throws Failure NOT_LOGGED_IN if the provider gives none any more; IDENTITY_PROVIDER if it cannot say
     */
    public ProviderTokens renewed(String refreshToken, String login) {
        try {
            return tokens(new RefreshTokenGrant(new RefreshToken(refreshToken)), null);
        } catch (RefusedException e) {
            if (PASSING.contains(e.code())) {
                throw unusable("it answers " + e.getMessage(), e);
            }
            throw new Failure(Diagnostic.error(
                    Code.NOT_LOGGED_IN,
                    "Your login is over: " + issuer + " answers " + e.getMessage() + ".",
                    "Log in:",
                    login));
        }
    }

    /** Tells the provider that nobody needs the token any more, if it wants to know. */
    public void revoke(String refreshToken) {
        var endpoint = metadata.getRevocationEndpointURI();
        if (endpoint != null) {
            try {
                sent(new TokenRevocationRequest(endpoint, client, new RefreshToken(refreshToken)).toHTTPRequest());
            } catch (IOException e) {
                throw unusable(e.getMessage() == null ? e.toString() : e.getMessage(), e);
            }
        }
    }

    OIDCProviderMetadata metadata() {
        return metadata;
    }

    ClientID client() {
        return client;
    }

    InstantSource clock() {
        return clock;
    }

    /** With what gives a refresh token, at providers that have such a scope. */
    Scope scope(List<String> asked) {
        var scope = new Scope(asked.toArray(String[]::new));
        var known = metadata.getScopes();
        if (known != null && known.contains(OIDCScopeValue.OFFLINE_ACCESS)) {
            scope.add(OIDCScopeValue.OFFLINE_ACCESS);
        }
        return scope;
    }

    /** What a provider answers instead of tokens. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        private final String code;

        RefusedException(ErrorObject error) {
            super(words(error.getCode(), error.getDescription()));
            this.code = error.getCode() == null ? "" : error.getCode();
        }

        String code() {
            return code;
        }
    }

    /** On one line: what a stranger writes must not look like lines of this program. */
    static String words(@Nullable String code, @Nullable String description) {
        var text = (code == null ? "an error" : code) + (description == null ? "" : ": " + description);
        return PlainText.of(text.replaceAll("\\s+", " "), LONGEST_REASON);
    }

    ProviderTokens tokens(AuthorizationGrant grant, @Nullable Scope scope) throws RefusedException {
        var request = new TokenRequest.Builder(metadata.getTokenEndpointURI(), client, grant);
        if (scope != null) {
            request.scope(scope);
        }
        try {
            var answer = OIDCTokenResponseParser.parse(sent(request.build().toHTTPRequest()));
            if (!answer.indicatesSuccess()) {
                throw new RefusedException(answer.toErrorResponse().getErrorObject());
            }
            var success = answer.toSuccessResponse();
            return of(
                    success instanceof OIDCTokenResponse withId
                            ? withId.getOIDCTokens()
                            : new OIDCTokens(
                                    success.getTokens().getAccessToken(),
                                    success.getTokens().getRefreshToken()));
        } catch (IOException e) {
            throw unusable(e.getMessage() == null ? e.toString() : e.getMessage(), e);
        } catch (ParseException e) {
            // Its message may quote what it could not read, tokens among it.
            throw unusable("its answer holds no tokens", null);
        }
    }

    private ProviderTokens of(OIDCTokens tokens) {
        var access = tokens.getAccessToken();
        long seconds = access.getLifetime();
        return new ProviderTokens(
                access.getValue(),
                Optional.ofNullable(tokens.getIDTokenString()),
                Optional.ofNullable(tokens.getRefreshToken()).map(RefreshToken::getValue),
                seconds > 0 ? Optional.of(clock.instant().plusSeconds(seconds)) : Optional.<Instant>empty());
    }

    HTTPResponse sent(HTTPRequest request) throws IOException {
        request.setConnectTimeout(TIMEOUT);
        request.setReadTimeout(TIMEOUT);
        request.setFollowRedirects(false);
        if (sockets != null) {
            request.setSSLSocketFactory(sockets);
        }
        return request.send();
    }

    private OIDCProviderMetadata discovered() {
        requireSecrecy(URI.create(issuer));
        try {
            var answer = sent(new HTTPRequest(HTTPRequest.Method.GET, URI.create(OpenId.configuration(issuer))));
            answer.ensureStatusCode(HTTPResponse.SC_OK);
            var found = OIDCProviderMetadata.parse(answer.getBodyAsJSONObject());
            if (!withoutSlash(found.getIssuer().getValue()).equals(withoutSlash(issuer))) {
                throw unusable("it calls itself " + found.getIssuer(), null);
            }
            if (found.getTokenEndpointURI() == null) {
                throw unusable("it names no token endpoint", null);
            }
            for (var endpoint : new URI[] {
                found.getTokenEndpointURI(),
                found.getDeviceAuthorizationEndpointURI(),
                found.getAuthorizationEndpointURI(),
                found.getRevocationEndpointURI()
            }) {
                if (endpoint != null) {
                    requireSecrecy(endpoint);
                }
            }
            return found;
        } catch (IOException e) {
            throw unusable(e.getMessage() == null ? e.toString() : e.getMessage(), e);
        } catch (GeneralException e) {
            throw unusable("its description cannot be read", e);
        }
    }

    private void requireSecrecy(URI address) {
        if (!ServiceAddress.keepsSecrets(address)) {
            throw unusable("only https keeps a login secret on its way, and " + address + " has none", null);
        }
    }

    private static String withoutSlash(String name) {
        return name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
    }

    Failure unusable(String why, @Nullable Exception cause) {
        return new Failure(
                Diagnostic.error(
                        Code.IDENTITY_PROVIDER,
                        issuer + ", described at " + OpenId.configuration(issuer) + ": " + why + ".",
                        "Try again. A provider with an authority of its own needs its certificate: deepsite login --ca"
                                + " FILE."),
                cause);
    }

    static Failure failed(String why, String fix, String... commands) {
        return new Failure(Diagnostic.error(Code.LOGIN_FAILED, why, fix, commands));
    }
}
