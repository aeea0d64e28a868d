package io.deepsite.cli;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/**
 * Plays an OpenID provider with a client that has no secret: codes for devices (RFC 8628), codes with PKCE, refresh tokens
 * that are worth something once, revocation.
 */
final class ProviderInMemory implements AutoCloseable {
    static final String CLIENT = "deepsite-cli";

    private static final RSAKey KEY = key();

    private final HttpServer server;
    private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();
    private final Map<String, String> refreshes = new ConcurrentHashMap<>();

    boolean knowsDevices = true;
    /** Of access tokens; ID tokens are always for the client. */
    String audience = CLIENT;

    Duration lifetime = Duration.ofMinutes(5);
    boolean givesIdTokensAgain = true;
    /** Where it says that tokens are given; empty: here. */
    String tokenEndpoint = "";
    /** Errors that answer questions with the code of a device, before it is accepted. */
    final Queue<String> device = new ArrayDeque<>();
    /** Errors that answer refresh tokens, before those count. */
    final Queue<String> troubles = new ArrayDeque<>();

    volatile int refreshed;
    volatile int revoked;

    ProviderInMemory() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", exchange -> {
            try (exchange) {
                answer(exchange);
            } catch (Exception e) {
                throw new IOException(e);
            }
        });
        server.start();
    }

    private static RSAKey key() {
        try {
            return new RSAKeyGenerator(2048).keyID("one").generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** What it does once somebody logged in on the page at this address: where the browser goes. */
    URI consent(URI authorization) {
        var asked = parameters(authorization.getRawQuery());
        var code = UUID.randomUUID().toString();
        codes.put(code, asked);
        return URI.create(asked.get("redirect_uri") + "?code=" + code + "&state=" + asked.get("state"));
    }

    String token(String audience) {
        try {
            var now = Instant.now();
            var token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.RS256).keyID("one").build(),
                    new JWTClaimsSet.Builder()
                            .issuer(issuer())
                            .subject("4711")
                            .audience(audience)
                            .issueTime(Date.from(now))
                            .expirationTime(Date.from(now.plus(lifetime)))
                            .jwtID(UUID.randomUUID().toString())
                            .claim("name", "Ada Lovelace")
                            .claim("groups", List.of("biologists"))
                            .build());
            token.sign(new RSASSASigner(KEY));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(HttpExchange exchange) throws Exception {
        var form = exchange.getRequestMethod().equals("POST")
                ? parameters(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8))
                : Map.<String, String>of();
        switch (exchange.getRequestURI().getPath()) {
            case "/.well-known/openid-configuration" -> send(exchange, 200, description());
            case "/keys" -> send(exchange, 200, new JWKSet(KEY).toJSONObject(true));
            case "/device" ->
                send(
                        exchange,
                        200,
                        Map.of(
                                "device_code",
                                "the-device",
                                "user_code",
                                "WDJB-MJHT",
                                "verification_uri",
                                issuer() + "/activate",
                                "expires_in",
                                600,
                                "interval",
                                1));
            case "/token" -> token(exchange, form);
            case "/revoke" -> {
                revoked++;
                refreshes.remove(form.getOrDefault("token", ""));
                send(exchange, 200, Map.of());
            }
            default -> exchange.sendResponseHeaders(404, -1);
        }
    }

    private Map<String, Object> description() {
        var all = new HashMap<String, Object>(Map.of(
                "issuer", issuer(),
                "authorization_endpoint", issuer() + "/authorize",
                "token_endpoint", tokenEndpoint.isEmpty() ? issuer() + "/token" : tokenEndpoint,
                "revocation_endpoint", issuer() + "/revoke",
                "jwks_uri", issuer() + "/keys",
                "response_types_supported", List.of("code"),
                "subject_types_supported", List.of("public"),
                "scopes_supported", List.of("openid", "offline_access"),
                "id_token_signing_alg_values_supported", List.of("RS256")));
        if (knowsDevices) {
            all.put("device_authorization_endpoint", issuer() + "/device");
        }
        return all;
    }

    private void token(HttpExchange exchange, Map<String, String> form) throws Exception {
        if (!CLIENT.equals(form.get("client_id"))) {
            send(exchange, 401, Map.of("error", "invalid_client"));
            return;
        }
        switch (form.getOrDefault("grant_type", "")) {
            case "urn:ietf:params:oauth:grant-type:device_code" -> {
                var error = device.poll();
                if (error == null) {
                    give(exchange, true);
                } else {
                    send(exchange, 400, Map.of("error", error));
                }
            }
            case "refresh_token" -> {
                var trouble = troubles.poll();
                if (trouble != null) {
                    send(exchange, 503, Map.of("error", trouble));
                } else if (refreshes.remove(form.getOrDefault("refresh_token", "")) == null) {
                    send(exchange, 400, Map.of("error", "invalid_grant", "error_description", "used before"));
                } else {
                    refreshed++;
                    give(exchange, givesIdTokensAgain);
                }
            }
            case "authorization_code" -> {
                var asked = codes.remove(form.getOrDefault("code", ""));
                if (asked == null
                        || !asked.get("redirect_uri").equals(form.get("redirect_uri"))
                        || !asked.get("code_challenge").equals(challenge(form.getOrDefault("code_verifier", "")))) {
                    send(exchange, 400, Map.of("error", "invalid_grant"));
                } else {
                    give(exchange, true);
                }
            }
            default -> send(exchange, 400, Map.of("error", "unsupported_grant_type"));
        }
    }

    private void give(HttpExchange exchange, boolean idToken) throws IOException {
        var refresh = "refresh-" + UUID.randomUUID();
        refreshes.put(refresh, refresh);
        var all = new HashMap<String, Object>(Map.of(
                "access_token",
                token(audience),
                "token_type",
                "Bearer",
                "expires_in",
                lifetime.toSeconds(),
                "refresh_token",
                refresh));
        if (idToken) {
            all.put("id_token", token(CLIENT));
        }
        send(exchange, 200, all);
    }

    private static String challenge(String verifier) throws Exception {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.UTF_8)));
    }

    private static Map<String, String> parameters(String query) {
        return Arrays.stream(query.split("&"))
                .map(pair -> pair.split("=", 2))
                .collect(Collectors.toMap(
                        pair -> pair[0],
                        pair -> URLDecoder.decode(pair[1], StandardCharsets.UTF_8),
                        (_, last) -> last));
    }

    private static void send(HttpExchange exchange, int status, Map<String, Object> content) throws IOException {
        var body = JsonMapper.shared().writeValueAsBytes(content);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
