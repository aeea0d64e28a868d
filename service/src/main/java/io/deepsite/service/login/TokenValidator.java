package io.deepsite.service.login;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.jwk.source.RateLimitReachedException;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSKeySelector;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.ResourceRetriever;
import com.nimbusds.jwt.JWT;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.oauth2.sdk.id.ClientID;
import com.nimbusds.oauth2.sdk.id.Issuer;
import com.nimbusds.openid.connect.sdk.Nonce;
import com.nimbusds.openid.connect.sdk.validators.IDTokenValidator;
import java.io.IOException;
import java.net.URL;
import java.text.ParseException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Validates what a provider signed, with the keys that it publishes; keys that are new are asked for when a token names
 * one. Only signatures that no secret makes count: whoever knows the public key could make the others.
 */
final class TokenValidator {
    /** Of the provider's clock and ours. */
    private static final int SKEW = 60;
    /** Known keys are used for so long if the provider does not answer. */
    private static final Duration OUTAGE = Duration.ofHours(1);

    private static final Set<JWSAlgorithm> ALGORITHMS = algorithms();

    private final String issuer;
    private final ClientID client;
    private final Set<String> audiences;
    private final JWSKeySelector<SecurityContext> keys;

    /** @param audiences of tokens of programs; one of them has to be named */
    TokenValidator(String issuer, ClientID client, Set<String> audiences, URL keys, ResourceRetriever retriever) {
        this.issuer = issuer;
        this.client = client;
        this.audiences = Set.copyOf(audiences);
        // Without the thread that asks for new keys ahead of time.
        var source = JWKSourceBuilder.create(keys, retriever)
                .refreshAheadCache(false)
                .outageTolerant(OUTAGE.toMillis())
                .build();
        this.keys = new JWSVerificationKeySelector<>(ALGORITHMS, source);
    }

    private static Set<JWSAlgorithm> algorithms() {
        var algorithms = new HashSet<JWSAlgorithm>(JWSAlgorithm.Family.RSA);
        algorithms.addAll(JWSAlgorithm.Family.EC);
        return Set.copyOf(algorithms);
    }

    /** A token that does not count, and why, without a word of the token. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        RefusedException(String why) {
            super(why);
        }
    }

    /**
     * The claims of the ID token that ends a login.
     *
     * @throws IOException the provider does not tell its keys
     */
    Map<String, Object> ofLogin(JWT token, Nonce nonce) throws RefusedException, IOException {
        try {
            var validator = new IDTokenValidator(new Issuer(issuerOf(token)), client, keys, null);
            validator.setMaxClockSkew(SKEW);
            var claims = validator.validate(token, nonce);
            // The library leaves this one to its user. Source: OpenID Connect Core 1.0, section 3.1.3.7.
            var party = claims.getAuthorizedParty();
            if (party != null && !party.getValue().equals(client.getValue())) {
                throw new RefusedException("it was made for another client");
            }
            return token.getJWTClaimsSet().getClaims();
        } catch (BadJOSEException | JOSEException e) {
            throw refused(e);
        } catch (ParseException e) {
            throw new RefusedException("it cannot be read");
        }
    }

    /**
     * The claims of a token that a program sends: an access token, or an ID token.
     *
     * @throws IOException the provider does not tell its keys
     */
    JWTClaimsSet ofProgram(JWT token) throws RefusedException, IOException {
        try {
            var processor = new DefaultJWTProcessor<SecurityContext>();
            processor.setJWSTypeVerifier(new DefaultJOSEObjectTypeVerifier<>(
                    JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), new JOSEObjectType("application/at+jwt"), null));
            processor.setJWSKeySelector(keys);
            var claims = new DefaultJWTClaimsVerifier<SecurityContext>(
                    audiences,
                    new JWTClaimsSet.Builder().issuer(issuerOf(token)).build(),
                    Set.of("sub", "exp"),
                    Set.of());
            claims.setMaxClockSkew(SKEW);
            processor.setJWTClaimsSetVerifier(claims);
            return processor.process(token, null);
        } catch (BadJOSEException | JOSEException e) {
            throw refused(e);
        } catch (ParseException e) {
            throw new RefusedException("it cannot be read");
        }
    }

    /** As the token has to name it: providers are not at one with themselves about the slash at the end. */
    private String issuerOf(JWT token) throws ParseException {
        var claims = token.getJWTClaimsSet();
        var named = claims == null ? null : claims.getIssuer();
        return named != null && isSame(named, issuer) ? named : issuer;
    }

    static boolean isSame(String one, String other) {
        return withoutSlash(one).equals(withoutSlash(other));
    }

    private static String withoutSlash(String issuer) {
        return issuer.endsWith("/") ? issuer.substring(0, issuer.length() - 1) : issuer;
    }

    private static RefusedException refused(Exception e) throws IOException {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof RateLimitReachedException) {
                return new RefusedException("no key of the identity provider belongs to it");
            }
            if (cause instanceof IOException unreachable) {
                throw unreachable;
            }
        }
        // The library's words name claims that differ, never the token.
        return new RefusedException(e.getMessage() == null ? "it is not valid" : e.getMessage());
    }
}
