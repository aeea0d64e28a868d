package io.deepsite.service.login;

import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jwt.JWT;
import com.nimbusds.oauth2.sdk.AuthorizationCode;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.GeneralException;
import com.nimbusds.oauth2.sdk.ParseException;
import com.nimbusds.oauth2.sdk.ResponseType;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.auth.ClientAuthenticationMethod;
import com.nimbusds.oauth2.sdk.auth.ClientSecretBasic;
import com.nimbusds.oauth2.sdk.auth.ClientSecretPost;
import com.nimbusds.oauth2.sdk.auth.Secret;
import com.nimbusds.oauth2.sdk.http.HTTPRequest;
import com.nimbusds.oauth2.sdk.http.HTTPResponse;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.State;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.token.AccessToken;
import com.nimbusds.oauth2.sdk.token.BearerAccessToken;
import com.nimbusds.openid.connect.sdk.AuthenticationRequest;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponse;
import com.nimbusds.openid.connect.sdk.OIDCTokenResponseParser;
import com.nimbusds.openid.connect.sdk.UserInfoRequest;
import com.nimbusds.openid.connect.sdk.UserInfoResponse;
import com.nimbusds.openid.connect.sdk.op.OIDCProviderMetadata;
import io.deepsite.cluster.OpenId;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.PlainText;
import io.deepsite.provider.AuthorityFile;
import io.deepsite.service.access.Person;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/** Asks the identity provider. What it says of itself is asked for once, its keys again and again. Any thread may call. */
public final class OpenIdProvider {
    private static final Logger LOG = System.getLogger(OpenIdProvider.class.getName());
    private static final int TIMEOUT = (int) Duration.ofSeconds(10).toMillis();
    private static final int LARGEST_KEYS = 256 * 1024;
    private static final int LONGEST_REASON = 300;

    private final LoginSettings settings;
    private final ClientID client;
    private final Optional<Secret> secret;
    private final @Nullable SSLSocketFactory sockets;
    private volatile @Nullable Known known;

    /** @param tokens validates what it signed */
    private record Known(OIDCProviderMetadata metadata, TokenValidator tokens) {}

    /**
     * @param environment of the process, for the client's secret
     * @throws Failure SECRET_NOT_READ, FILE_UNREADABLE
     */
    public OpenIdProvider(LoginSettings settings, Map<String, String> environment) {
        this.settings = settings;
        this.client = new ClientID(settings.clientId());
        this.secret = settings.clientSecret().map(reference -> new Secret(reference.read(environment)));
        this.sockets = settings.caFile().map(OpenIdProvider::sockets).orElse(null);
    }

    private static SSLSocketFactory sockets(String file) {
        try {
            return AuthorityFile.sockets(Path.of(file));
        } catch (IOException | GeneralSecurityException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.FILE_UNREADABLE,
                            "The certificate of the identity provider's authority, " + file + ", cannot be used: "
                                    + e.getMessage() + ".",
                            "Put a certificate in PEM there, readable by the user of the service."),
                    e);
        }
    }

    /**
     * Where a browser goes to log in.
     *
     * @param callback where it comes back to
     * @throws Failure IDENTITY_PROVIDER
     */
    URI authorization(URI callback, State state, PendingLogins.Pending pending) {
        return new AuthenticationRequest.Builder(
                        ResponseType.CODE, new Scope(settings.allScopes().toArray(String[]::new)), client, callback)
                .endpointURI(known().metadata().getAuthorizationEndpointURI())
                .state(state)
                .nonce(pending.nonce())
                .codeChallenge(pending.verifier(), CodeChallengeMethod.S256)
                .build()
                .toURI();
    }

    LoginSettings settings() {
        return settings;
    }

    boolean isCalled(String issuer) {
        return TokenValidator.isSame(issuer, settings.issuer());
    }

    /** Whether an answer that names this issuer, or none, may be this provider's. Source: RFC 9207. */
    boolean answersAs(Optional<String> issuer) {
        var metadata = known().metadata();
        return issuer.map(named -> named.equals(metadata.getIssuer().getValue()))
                .orElse(!metadata.supportsAuthorizationResponseIssuerParam());
    }

    /**
     * Who logged in.
     *
     * @throws Failure WEB_LOGIN_REFUSED, IDENTITY_PROVIDER
     */
    Person person(AuthorizationCode code, URI callback, PendingLogins.Pending pending) {
        var provider = known();
        var tokens = tokens(provider.metadata(), new AuthorizationCodeGrant(code, callback, pending.verifier()))
                .getOIDCTokens();
        Map<String, Object> claims;
        try {
            claims = provider.tokens().ofLogin(tokens.getIDToken(), pending.nonce());
        } catch (TokenValidator.RefusedException e) {
            throw refused("The identity provider's token is not accepted: " + e.getMessage() + ".");
        } catch (IOException e) {
            throw unreachable(e);
        }
        return complete(provider.metadata(), claims, tokens.getAccessToken())
                .orElseThrow(() -> refused("The identity provider's token does not say who you are."));
    }

    /**
     * Whom a token of a program stands for.
     *
     * @throws Failure TOKEN_REFUSED, IDENTITY_PROVIDER
     */
    Bearer bearer(JWT token) {
        var provider = known();
        try {
            var claims = provider.tokens().ofProgram(token);
            var person = complete(provider.metadata(), claims.getClaims(), new BearerAccessToken(token.serialize()))
                    .orElseThrow(() -> new TokenValidator.RefusedException("it does not say for whom it is"));
            return new Bearer(person, claims.getExpirationTime().toInstant());
        } catch (TokenValidator.RefusedException e) {
            throw new Failure(Diagnostic.error(
                    Code.TOKEN_REFUSED,
                    "The token is not accepted: " + e.getMessage() + ".",
                    "Get a new one from " + settings.issuer() + ", made for " + settings.tokenAudience() + "."));
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    /** @param ends when the token does */
    record Bearer(Person person, Instant ends) {}

    /** Asks for what a token does not say. */
    private Optional<Person> complete(OIDCProviderMetadata metadata, Map<String, Object> claims, AccessToken access) {
        var known = new Claims(settings, claims);
        var endpoint = metadata.getUserInfoEndpointURI();
        if (endpoint != null && !known.isComplete()) {
            known = known.with(userInfo(endpoint, access, claims.get("sub")));
        } else if (endpoint != null && !known.hasAddress()) {
            known = withAddress(endpoint, known, access, claims.get("sub"));
        }
        return known.person(metadata.getIssuer().getValue());
    }

    /** A login does not fail for want of an address. */
    private Claims withAddress(URI endpoint, Claims known, AccessToken access, @Nullable Object subject) {
        try {
            return known.with(userInfo(endpoint, access, subject));
        } catch (Failure e) {
            LOG.log(Level.INFO, "No address for mail: " + e.getMessage());
            return known;
        }
    }

    /** Nothing where the provider refuses: an ID token, for one, is no access token. */
    private Map<String, Object> userInfo(URI endpoint, AccessToken access, @Nullable Object subject) {
        try {
            var answer = UserInfoResponse.parse(sent(new UserInfoRequest(endpoint, access).toHTTPRequest()));
            if (!answer.indicatesSuccess() || answer.toSuccessResponse().getUserInfo() == null) {
                return Map.of();
            }
            var info = answer.toSuccessResponse().getUserInfo();
            // An answer about somebody else is not used. Source: OpenID Connect Core 1.0, section 5.3.2.
            return info.getSubject().getValue().equals(subject) ? info.toJSONObject() : Map.of();
        } catch (IOException e) {
            throw unreachable(e);
        } catch (ParseException e) {
            throw unusable("its answer about the person cannot be read", e);
        }
    }

    private OIDCTokenResponse tokens(OIDCProviderMetadata metadata, AuthorizationCodeGrant grant) {
        try {
            var answer = OIDCTokenResponseParser.parse(sent(tokenRequest(metadata, grant)));
            if (!answer.indicatesSuccess()) {
                var error = answer.toErrorResponse().getErrorObject();
                throw refused(
                        error.getCode() == null ? "an error" : error.getCode(),
                        Optional.ofNullable(error.getDescription()));
            }
            return (OIDCTokenResponse) answer.toSuccessResponse();
        } catch (IOException e) {
            throw unreachable(e);
        } catch (ParseException e) {
            // Its message may quote what it could not read, tokens among it.
            throw refused("The identity provider's answer holds no ID token.");
        }
    }

    private HTTPRequest tokenRequest(OIDCProviderMetadata metadata, AuthorizationCodeGrant grant) {
        var endpoint = metadata.getTokenEndpointURI();
        if (secret.isEmpty()) {
            return new TokenRequest.Builder(endpoint, client, grant).build().toHTTPRequest();
        }
        var methods = metadata.getTokenEndpointAuthMethods();
        boolean posts = methods != null
                && !methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_BASIC)
                && methods.contains(ClientAuthenticationMethod.CLIENT_SECRET_POST);
        var authentication =
                posts ? new ClientSecretPost(client, secret.get()) : new ClientSecretBasic(client, secret.get());
        return new TokenRequest.Builder(endpoint, authentication, grant).build().toHTTPRequest();
    }

    /** As a provider tells why, also in the address that a browser comes back to. */
    static Failure refused(String code, Optional<String> description) {
        var reason = code + description.map(text -> ": " + text).orElse("");
        // On one line: whoever writes it must not write further lines of the log.
        return refused(
                "The identity provider answers " + PlainText.of(reason.replaceAll("\\s+", " "), LONGEST_REASON) + ".");
    }

    static Failure refused(String why) {
        return new Failure(Diagnostic.error(Code.WEB_LOGIN_REFUSED, why, "Log in again, at /login."));
    }

    private HTTPResponse sent(HTTPRequest request) throws IOException {
        request.setConnectTimeout(TIMEOUT);
        request.setReadTimeout(TIMEOUT);
        request.setFollowRedirects(false);
        if (sockets != null) {
            request.setSSLSocketFactory(sockets);
        }
        return request.send();
    }

    private Known known() {
        var now = known;
        if (now == null) {
            now = discover();
            known = now;
        }
        return now;
    }

    private Known discover() {
        try {
            var answer =
                    sent(new HTTPRequest(HTTPRequest.Method.GET, URI.create(OpenId.configuration(settings.issuer()))));
            answer.ensureStatusCode(HTTPResponse.SC_OK);
            var metadata = OIDCProviderMetadata.parse(answer.getBodyAsJSONObject());
            var issuer = metadata.getIssuer().getValue();
            if (!TokenValidator.isSame(issuer, settings.issuer())) {
                throw unusable("it calls itself " + issuer, null);
            }
            if (metadata.getAuthorizationEndpointURI() == null
                    || metadata.getTokenEndpointURI() == null
                    || metadata.getJWKSetURI() == null) {
                throw unusable("it names no authorization endpoint, token endpoint or keys", null);
            }
            var retriever = new DefaultResourceRetriever(TIMEOUT, TIMEOUT, LARGEST_KEYS, true, sockets);
            return new Known(
                    metadata,
                    new TokenValidator(
                            issuer,
                            client,
                            settings.tokenAudiences(),
                            metadata.getJWKSetURI().toURL(),
                            retriever));
        } catch (IOException e) {
            throw unreachable(e);
        } catch (GeneralException e) {
            throw unusable("its description cannot be read", e);
        }
    }

    private Failure unreachable(IOException e) {
        return unusable(e.getMessage() == null ? e.toString() : e.getMessage(), e);
    }

    private Failure unusable(String why, @Nullable Exception cause) {
        return new Failure(
                Diagnostic.error(
                        Code.IDENTITY_PROVIDER,
                        settings.issuer() + ", described at " + OpenId.configuration(settings.issuer()) + ": " + why
                                + ".",
                        "Try again. If it goes on, the administrator of the service looks at issuer and caFile in"
                                + " its settings."),
                cause);
    }
}
