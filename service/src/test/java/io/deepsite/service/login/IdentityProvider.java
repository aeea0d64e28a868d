package io.deepsite.service.login;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
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
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** Plays an OpenID Connect provider with one user, who always consents. It is as strict as OpenID Connect Core and RFC 7636 ask. */
final class IdentityProvider implements AutoCloseable {
    static final String CLIENT = "deepsite";
    static final String SECRET = "client-secret-of-the-tests";

    /** Made once: that takes seconds. */
    private static final List<RSAKey> KEYS =
            Stream.generate(IdentityProvider::newKey).limit(3).toList();

    private final HttpServer server;
    private final Map<String, Login> codes = new ConcurrentHashMap<>();
    private RSAKey key = named(KEYS.getFirst());

    /** Of its name: with a slash at the end, as INDIGO IAM has one. */
    String slash = "";

    Map<String, Object> userInfo = Map.of();
    List<String> authentication = List.of("client_secret_basic");
    boolean namesIssuer;
    /** What the ID token of a login becomes, before it is sent. */
    Function<JWTClaimsSet.Builder, String> idToken = claims -> signed(claims.build());

    volatile int keysAsked;
    volatile Optional<String> lastIdToken = Optional.empty();
    volatile Optional<String> lastAccessToken = Optional.empty();
    volatile String lastAuthorization = "";

    private record Login(Map<String, String> asked) {}

    IdentityProvider() throws IOException {
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

    String base() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/realms/lab";
    }

    String issuer() {
        return base() + slash;
    }

    void rotate() {
        key = named(KEYS.get(1));
    }

    RSAKey key() {
        return key;
    }

    /** What it does after the user logged in on the page at this address: the address that the browser goes back to. */
    URI consent(URI authorization) {
        var asked = parameters(authorization.getRawQuery());
        var code = UUID.randomUUID().toString();
        codes.put(code, new Login(asked));
        return URI.create(asked.get("redirect_uri") + "?code=" + code + "&state=" + asked.get("state")
                + (namesIssuer ? "&iss=" + URLEncoder.encode(issuer(), StandardCharsets.UTF_8) : ""));
    }

    JWTClaimsSet.Builder claims() {
        var now = Instant.now();
        return new JWTClaimsSet.Builder()
                .issuer(issuer())
                .subject("4711")
                .audience(CLIENT)
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plus(Duration.ofMinutes(5))))
                .claim("name", "Ada Lovelace")
                .claim("email", "ada@example.org")
                .claim("email_verified", true)
                .claim("groups", List.of("/lab"));
    }

    String signed(JWTClaimsSet claims) {
        return signed(claims, key, JOSEObjectType.JWT);
    }

    static String signed(JWTClaimsSet claims, RSAKey key, JOSEObjectType type) {
        try {
            var token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.RS256)
                            .keyID(key.getKeyID())
                            .type(type)
                            .build(),
                    claims);
            token.sign(new RSASSASigner(key));
            return token.serialize();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Of somebody else. */
    static RSAKey foreignKey() {
        return named(KEYS.get(2));
    }

    /** The same key with a name that nobody knows. */
    private static RSAKey named(RSAKey key) {
        return new RSAKey.Builder(key).keyID(UUID.randomUUID().toString()).build();
    }

    private static RSAKey newKey() {
        try {
            return new RSAKeyGenerator(2048).generate();
        } catch (JOSEException e) {
            throw new IllegalStateException(e);
        }
    }

    private void answer(HttpExchange exchange) throws Exception {
        switch (exchange.getRequestURI().getPath().replaceFirst("^/realms/lab", "")) {
            case "/.well-known/openid-configuration" ->
                send(
                        exchange,
                        200,
                        Map.of(
                                "issuer",
                                issuer(),
                                "authorization_endpoint",
                                base() + "/authorize",
                                "token_endpoint",
                                base() + "/token",
                                "userinfo_endpoint",
                                base() + "/userinfo",
                                "jwks_uri",
                                base() + "/keys",
                                "response_types_supported",
                                List.of("code"),
                                "subject_types_supported",
                                List.of("public"),
                                "id_token_signing_alg_values_supported",
                                List.of("RS256"),
                                "token_endpoint_auth_methods_supported",
                                authentication,
                                "authorization_response_iss_parameter_supported",
                                namesIssuer));
            case "/keys" -> {
                keysAsked++;
                send(exchange, 200, new JWKSet(key).toJSONObject(true));
            }
            case "/token" -> token(exchange);
            case "/userinfo" -> {
                boolean known = lastAccessToken.isPresent()
                        && ("Bearer " + lastAccessToken.get())
                                .equals(exchange.getRequestHeaders().getFirst("Authorization"));
                send(exchange, known ? 200 : 401, known ? userInfo : Map.of("error", "invalid_token"));
            }
            default -> exchange.sendResponseHeaders(404, -1);
        }
    }

    private void token(HttpExchange exchange) throws Exception {
        var form = parameters(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        lastAuthorization = Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
                .orElse("");
        if (!isClient(form)) {
            send(exchange, 401, Map.of("error", "invalid_client"));
            return;
        }
        var login = codes.remove(form.getOrDefault("code", ""));
        if (login == null
                || !login.asked().get("redirect_uri").equals(form.get("redirect_uri"))
                || !login.asked().get("code_challenge_method").equals("S256")
                || !login.asked().get("code_challenge").equals(challenge(form.getOrDefault("code_verifier", "")))) {
            send(exchange, 400, Map.of("error", "invalid_grant", "error_description", "the code is not valid"));
            return;
        }
        var access = "access-" + UUID.randomUUID();
        var token = idToken.apply(claims().claim("nonce", login.asked().get("nonce")));
        lastAccessToken = Optional.of(access);
        lastIdToken = Optional.of(token);
        send(
                exchange,
                200,
                Map.of("access_token", access, "token_type", "Bearer", "expires_in", 300, "id_token", token));
    }

    private boolean isClient(Map<String, String> form) {
        if (authentication.contains("none")) {
            return CLIENT.equals(form.get("client_id"));
        }
        if (authentication.contains("client_secret_post")) {
            return CLIENT.equals(form.get("client_id")) && SECRET.equals(form.get("client_secret"));
        }
        return lastAuthorization.equals("Basic "
                + Base64.getEncoder().encodeToString((CLIENT + ":" + SECRET).getBytes(StandardCharsets.UTF_8)));
    }

    private static String challenge(String verifier) throws Exception {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.UTF_8)));
    }

    static Map<String, String> parameters(String query) {
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
