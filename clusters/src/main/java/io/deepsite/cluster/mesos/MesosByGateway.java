package io.deepsite.cluster.mesos;

import io.deepsite.diag.Causes;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.Secret;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;

/**
 * Access through the cluster's gateway, with a token of the identity provider.
 *
 * @param url of the gateway, https
 * @param agents the name of each agent's machine, by its address
 */
record MesosByGateway(String url, Secret token, Optional<SSLSocketFactory> trust, Map<String, String> agents)
        implements MesosApi {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int REDIRECTS = 4;
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int MOVED = 307;

    @Override
    public String ask(Part part, String method, String path, Optional<String> body) {
        var address = url + "/" + place(part) + path;
        try {
            for (int i = 0; i < REDIRECTS; i++) {
                var connection = open(address, method, body);
                int status = connection.getResponseCode();
                if (status / 100 == 2) {
                    try (var in = connection.getInputStream()) {
                        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
                    }
                }
                // Chronos and masters redirect to the leading one; the token is sent to no host but this gateway.
                var next = status == MOVED ? connection.getHeaderField("Location") : null;
                if (next == null
                        || !URI.create(address).resolve(next).toString().startsWith(url + "/")) {
                    throw refused(method, address, status, said(connection));
                }
                address = URI.create(address).resolve(next).toString();
            }
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.WORK_REFUSED,
                            address + " does not answer: " + Causes.deepest(e) + ".",
                            "Check whether the url in site.yaml is reachable from here; --ca-file names the"
                                    + " certificate of a private authority."),
                    e);
        }
        throw new Failure(Diagnostic.error(Code.WORK_REFUSED, address + " redirects in a loop.", ""));
    }

    private String place(Part part) {
        return switch (part) {
            case Part.Service service ->
                switch (service) {
                    case MESOS -> "mesos-api/";
                    case MARATHON -> "marathon/";
                    case CHRONOS -> "chronos/";
                };
            case Part.Agent agent -> "agents/" + agents.getOrDefault(agent.address(), agent.address()) + "/";
        };
    }

    private HttpURLConnection open(String address, String method, Optional<String> body) throws IOException {
        var connection = (HttpsURLConnection) URI.create(address).toURL().openConnection();
        trust.ifPresent(connection::setSSLSocketFactory);
        connection.setConnectTimeout((int) LIMIT.toMillis());
        connection.setReadTimeout((int) LIMIT.toMillis());
        connection.setInstanceFollowRedirects(false);
        connection.setRequestMethod(method);
        connection.setRequestProperty("Authorization", "Bearer " + token.reveal());
        connection.setRequestProperty("Accept", "application/json, text/plain");
        if (body.isPresent()) {
            connection.setDoOutput(true);
            connection.setRequestProperty("Content-Type", "application/json");
            try (var out = connection.getOutputStream()) {
                out.write(body.get().getBytes(StandardCharsets.UTF_8));
            }
        }
        return connection;
    }

    private static String said(HttpURLConnection connection) throws IOException {
        try (var in = connection.getErrorStream()) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        }
    }

    private static Failure refused(String method, String address, int status, String said) {
        var why = address + " answered " + status + " to " + method
                + (status == UNAUTHORIZED || status == FORBIDDEN || said.isEmpty() ? "." : ": " + said);
        return new Failure(Diagnostic.error(
                Code.WORK_REFUSED,
                why,
                switch (status) {
                    case UNAUTHORIZED -> "Get a new token: this one has expired, or the provider did not issue it.";
                    case FORBIDDEN ->
                        "The token is valid, but for another client, or its user is in none of the groups in"
                                + " site.yaml.";
                    default -> "";
                }));
    }
}
