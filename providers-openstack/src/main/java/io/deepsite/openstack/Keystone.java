package io.deepsite.openstack;

import io.deepsite.diag.Failure;
import io.deepsite.openstack.Credentials.ApplicationCredential;
import io.deepsite.openstack.Credentials.Domain;
import io.deepsite.openstack.Credentials.Named;
import io.deepsite.openstack.Credentials.OidcAccessToken;
import io.deepsite.openstack.Credentials.Password;
import io.deepsite.openstack.Credentials.Token;
import io.deepsite.state.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import okhttp3.HttpUrl;
import okhttp3.Request;
import org.openstack4j.core.transport.ObjectMapperSingleton;
import org.openstack4j.openstack.identity.v3.domain.KeystoneToken;
import tools.jackson.databind.JsonNode;

/**
 * Gets tokens from Keystone's version 3: by password, token, application credential, or an access token of an OpenID
 * Connect provider. openstack4j's own login knows the first two only.
 */
final class Keystone {
    private static final String TOKEN = "X-Auth-Token";
    private static final String SUBJECT = "X-Subject-Token";
    /** Replaces the token, which only the connection has. */
    private static final String NO_TOKEN = "-";

    private final Http http;
    private final Credentials credentials;
    private final Faults faults;
    private final InstantSource clock;

    Keystone(Http http, Credentials credentials, Faults faults, InstantSource clock) {
        this.clock = clock;
        this.http = http;
        this.credentials = credentials;
        this.faults = faults;
    }

    Login login() {
        var base = base();
        if (credentials.method() instanceof OidcAccessToken oidc) {
            var unscoped = federated(base, oidc);
            var answer = scoped(base, unscoped);
            return answer.isSuccess() ? login(answer, base) : throwing(missingRole(base, answer, unscoped));
        }
        var answer = send(tokens(base, identity(credentials.method()), scope()));
        return answer.isSuccess() ? login(answer, base) : throwing(refused(base, answer));
    }

    private static Login throwing(RuntimeException fault) {
        throw fault;
    }

    /** The root of version 3: the URL that the user gave, or one below it. */
    private HttpUrl base() {
        var given = credentials.authUrl().toString().replaceAll("/+$", "");
        if (given.endsWith("/v3")) {
            return HttpUrl.get(given);
        }
        var root = HttpUrl.get(given.replaceAll("/v2\\.0$", "") + "/");
        offersVersion3(root);
        return root.newBuilder().addPathSegment("v3").build();
    }

    private void offersVersion3(HttpUrl root) {
        var answer = send(new Request.Builder().url(root).build());
        var versions = answer.json().findValuesAsString("id");
        if (versions.stream().noneMatch(id -> id.startsWith("v3"))) {
            throw faults.noVersion3(root, versions, answer.status());
        }
    }

    private Answer federated(HttpUrl base, OidcAccessToken oidc) {
        var url = base.newBuilder()
                .addPathSegments("OS-FEDERATION/identity_providers")
                .addPathSegment(oidc.identityProvider())
                .addPathSegment("protocols")
                .addPathSegment(oidc.protocol())
                .addPathSegment("auth")
                .build();
        var request = new Request.Builder()
                .url(url)
                .header("Authorization", "Bearer " + accessToken(oidc).reveal())
                .post(new JsonBody(JsonBody.JSON, new byte[0]))
                .build();
        var answer = send(request);
        if (answer.isSuccess() && !answer.header(SUBJECT).isEmpty()) {
            return answer;
        }
        throw faults.loginRefused(answer.refusal(), credentials.method());
    }

    private Secret accessToken(OidcAccessToken oidc) {
        if (oidc.token().isPresent()) {
            return oidc.token().get();
        }
        var file = oidc.file().orElseThrow();
        try {
            var text = Files.readString(file, StandardCharsets.UTF_8).strip();
            if (text.isEmpty() || text.chars().anyMatch(Character::isWhitespace)) {
                throw faults.unusable(
                        "The file " + file + " does not hold one access token.", "Write the token into it.");
            }
            return Secret.of(text);
        } catch (IOException e) {
            throw faults.unusable(
                    "The file " + file + " with the access token cannot be read: " + e.getMessage() + ".",
                    "Let your OpenID Connect client write it there.");
        }
    }

    private Answer scoped(HttpUrl base, Answer unscoped) {
        return send(tokens(base, tokenIdentity(Secret.of(unscoped.header(SUBJECT))), scope()));
    }

    private Object scope() {
        return credentials
                .scope()
                .<Object>map(scope -> Map.of("project", named(scope.project())))
                .orElse("");
    }

    /** @param scope empty text: Keystone chooses it */
    private static Request tokens(HttpUrl base, Map<String, Object> identity, Object scope) {
        var auth = new LinkedHashMap<String, Object>();
        auth.put("identity", identity);
        if (!"".equals(scope)) {
            auth.put("scope", scope);
        }
        return new Request.Builder()
                .url(base.newBuilder().addPathSegments("auth/tokens").build())
                .post(new JsonBody(JsonBody.JSON, Json.MAPPER.writeValueAsBytes(Map.of("auth", auth))))
                .build();
    }

    private static Map<String, Object> identity(Credentials.Method method) {
        return switch (method) {
            case Password password -> {
                var user = named(password.user());
                user.put("password", password.password().reveal());
                yield Map.of("methods", List.of("password"), "password", Map.of("user", user));
            }
            case ApplicationCredential credential -> {
                var body = new LinkedHashMap<String, Object>();
                credential.id().ifPresent(id -> body.put("id", id));
                credential.name().ifPresent(name -> body.put("name", name));
                credential.user().ifPresent(user -> body.put("user", named(user)));
                body.put("secret", credential.secret().reveal());
                yield Map.of("methods", List.of("application_credential"), "application_credential", body);
            }
            case Token token -> tokenIdentity(token.token());
            case OidcAccessToken oidc -> throw new IllegalArgumentException(oidc.who() + " goes another way");
        };
    }

    private static Map<String, Object> tokenIdentity(Secret token) {
        return Map.of("methods", List.of("token"), "token", Map.of("id", token.reveal()));
    }

    private static Map<String, Object> named(Named named) {
        var map = new LinkedHashMap<String, Object>();
        named.id().ifPresent(id -> map.put("id", id));
        named.name().ifPresent(name -> map.put("name", name));
        named.domain().ifPresent(domain -> map.put("domain", domain(domain)));
        return map;
    }

    private static Map<String, Object> domain(Domain domain) {
        var map = new LinkedHashMap<String, Object>();
        domain.id().ifPresent(id -> map.put("id", id));
        domain.name().ifPresent(name -> map.put("name", name));
        return map;
    }

    private Login login(Answer answer, HttpUrl base) {
        var token = token(answer);
        if (token.getExpires() == null) {
            throw unlikeKeystone(answer, "no end of the token");
        }
        var project = token.getProject();
        if (project == null || project.getId() == null) {
            throw faults.noProject(credentials.method().who());
        }
        token.setId(NO_TOKEN);
        token.setEndpoint(base.toString());
        return new Login(
                Secret.of(answer.header(SUBJECT)),
                clock.instant(),
                token.getExpires().toInstant(),
                project,
                ServiceCatalogue.of(token),
                token);
    }

    private KeystoneToken token(Answer answer) {
        try {
            var token =
                    ObjectMapperSingleton.getContext(KeystoneToken.class).readValue(answer.body(), KeystoneToken.class);
            if (token != null) {
                return token;
            }
        } catch (IOException _) {
            // Its message may show parts of the token.
        }
        throw unlikeKeystone(answer, "no token");
    }

    private Failure unlikeKeystone(Answer answer, String what) {
        return faults.refused(answer.unlike("Keystone", what), Faults.NOTHING_CHANGED);
    }

    /** Keystone answers a wrong password and a missing role alike; the same login without a project shows which it is. */
    private RuntimeException refused(HttpUrl base, Answer answer) {
        if (answer.status() == 404) {
            offersVersion3(HttpUrl.get(base.toString().replaceAll("/v3$", "/")));
        }
        if (answer.status() != 401 && answer.status() != 403) {
            return faults.refused(answer.refusal(), Faults.NOTHING_CHANGED);
        }
        if (credentials.scope().isPresent() && credentials.method() instanceof Password password) {
            var unscoped = send(tokens(base, identity(password), "unscoped"));
            if (unscoped.isSuccess()) {
                return missingRole(base, answer, unscoped);
            }
        }
        return faults.loginRefused(answer.refusal(), credentials.method());
    }

    private RuntimeException missingRole(HttpUrl base, Answer answer, Answer unscoped) {
        var project = credentials.scope().map(scope -> scope.project().words()).orElse("");
        return faults.noRole(answer.refusal(), project, projects(base, unscoped));
    }

    private List<String> projects(HttpUrl base, Answer unscoped) {
        var request = new Request.Builder()
                .url(base.newBuilder().addPathSegments("auth/projects").build())
                .header(TOKEN, unscoped.header(SUBJECT))
                .build();
        return send(request)
                .json()
                .path("projects")
                .valueStream()
                .map(Keystone::nameOf)
                .sorted()
                .toList();
    }

    private static String nameOf(JsonNode project) {
        return project.path("name").asString("");
    }

    private Answer send(Request request) {
        return faults.guarding(request.url(), () -> http.send(request));
    }
}
