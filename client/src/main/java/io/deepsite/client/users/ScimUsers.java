package io.deepsite.client.users;

import io.deepsite.client.ServiceAddress;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.PlainText;
import io.deepsite.provider.AuthorityFile;
import io.deepsite.users.SourceUser;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import okhttp3.HttpUrl;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * All users of a provider by SCIM 2 (RFC 7644), as INDIGO IAM 1.12 has it under {@code /scim}: pages of at most 100, and
 * the scope scim:read. Follows no redirect: the token goes nowhere else.
 */
public final class ScimUsers implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    /** The longest page of INDIGO IAM. */
    private static final int PAGE = 100;

    private static final int MOST_USERS = 100_000;
    private static final long LONGEST_ANSWER = 64L << 20;
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int SHOWN = 300;

    private final HttpUrl users;
    private final String token;
    private final OkHttpClient client;

    /**
     * @param address the base, under which Users is: {@code https://iam.example.org/scim}
     * @param trust the authority of the provider; empty: the public ones
     * @throws Failure SERVICE_ADDRESS
     */
    public ScimUsers(String address, String token, Optional<AuthorityFile.Trust> trust) {
        this.users = parsed(address);
        this.token = token;
        var builder = new OkHttpClient.Builder()
                .followRedirects(false)
                .connectTimeout(TIMEOUT)
                .readTimeout(TIMEOUT);
        trust.ifPresent(one -> builder.sslSocketFactory(one.sockets(), one.manager()));
        this.client = builder.build();
    }

    private static HttpUrl parsed(String address) {
        var url = HttpUrl.parse(address.strip());
        if (url == null || !url.username().isEmpty() || url.query() != null) {
            throw refused(address, "It is no URL of SCIM.");
        }
        if (!ServiceAddress.keepsSecrets(URI.create(url.toString()))) {
            throw refused(address, "Only https keeps the token secret on its way; http is for this machine.");
        }
        return url.newBuilder().addPathSegment("Users").build();
    }

    private static Failure refused(String address, String why) {
        return new Failure(Diagnostic.error(
                Code.SERVICE_ADDRESS, "\"" + address + "\": " + why, "Write it like https://iam.example.org/scim."));
    }

    /**
     * Every user. A page that changed while another one was read is not noticed by SCIM, so ids and their number are
     * compared: a user who is missing here by accident would be locked.
     *
     * @throws Failure USERS_INCOMPLETE, USER_SOURCE, TOKEN_REFUSED, IDENTITY_PROVIDER
     */
    public List<SourceUser> all() {
        var found = new ArrayList<SourceUser>();
        var ids = new HashSet<String>();
        int total;
        do {
            var page = page(found.size() + 1);
            total = page.path("totalResults").asInt(-1);
            var resources = page.path("Resources");
            if (total < 0 || total > MOST_USERS || (total > found.size() && !resources.isArray())) {
                throw unusable("its answer is no list of SCIM", null);
            }
            for (var person : resources) {
                var user = one(person);
                if (user.id().isEmpty() || !ids.add(user.id().get())) {
                    throw incomplete("it names a user twice, or without an id");
                }
                found.add(user);
            }
            if (resources.isEmpty() && found.size() < total) {
                throw incomplete("it names " + found.size() + " of " + total + " users");
            }
        } while (found.size() < total);
        if (found.size() != total) {
            throw incomplete("it names " + found.size() + " users, and says they are " + total);
        }
        return found;
    }

    private SourceUser one(JsonNode person) {
        try {
            return PeopleJson.of(person);
        } catch (IllegalArgumentException e) {
            throw unusable(String.valueOf(e.getMessage()), e);
        }
    }

    private JsonNode page(int start) {
        var url = users.newBuilder()
                .addQueryParameter("startIndex", Integer.toString(start))
                .addQueryParameter("count", Integer.toString(PAGE))
                .build();
        var request = new Request.Builder()
                .url(url)
                .header("Accept", "application/scim+json, application/json")
                .header("Authorization", "Bearer " + token)
                .build();
        try (var answer = client.newCall(request).execute()) {
            var body = answer.peekBody(LONGEST_ANSWER).string();
            requireSuccess(answer, body);
            return JSON.readTree(body);
        } catch (IOException e) {
            throw unusable(e.getMessage() == null ? e.toString() : e.getMessage(), e);
        } catch (JacksonException e) {
            throw unusable("its answer is no JSON", e);
        }
    }

    private void requireSuccess(Response answer, String body) {
        if (answer.code() == UNAUTHORIZED || answer.code() == FORBIDDEN) {
            throw new Failure(Diagnostic.error(
                    Code.TOKEN_REFUSED,
                    users + " answers " + answer.code() + " to this token: " + words(body) + ".",
                    "Get a new one from a client that may list users; at INDIGO IAM it needs the scope scim:read."));
        }
        if (!answer.isSuccessful()) {
            throw unusable("it answers " + answer.code() + ": " + words(body), null);
        }
    }

    private static String words(String body) {
        return PlainText.of(body.strip().replaceAll("\\s+", " "), SHOWN);
    }

    private Failure incomplete(String why) {
        return new Failure(Diagnostic.error(
                Code.USERS_INCOMPLETE,
                users + ": " + why + ". Users may have changed while they were read. Nothing was changed here.",
                "Try again."));
    }

    private Failure unusable(String why, @Nullable Exception cause) {
        return new Failure(
                Diagnostic.error(
                        Code.IDENTITY_PROVIDER,
                        users + ": " + why + ". Nothing was changed here.",
                        "Check the address; a provider with an authority of its own needs --ca FILE."),
                cause);
    }

    @Override
    public void close() {
        client.dispatcher().executorService().shutdown();
        client.connectionPool().evictAll();
    }
}
