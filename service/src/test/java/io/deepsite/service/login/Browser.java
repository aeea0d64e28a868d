package io.deepsite.service.login;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Keeps cookies whatever their attributes say, and follows no redirect. */
final class Browser {
    private final URI service;
    private final HttpClient client;
    final Map<String, String> cookies = new LinkedHashMap<>();
    /** Of the last answer. */
    final List<String> setCookies = new ArrayList<>();

    Browser(URI service, HttpClient client) {
        this.service = service;
        this.client = client;
    }

    /** @param headers names and values by turns */
    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        return send(request(path, headers).GET().build());
    }

    /** The lines of an answer that goes on. */
    Stream<String> follow(String path, String... headers) throws IOException, InterruptedException {
        return client.send(request(path, headers).GET().build(), HttpResponse.BodyHandlers.ofLines())
                .body();
    }

    HttpResponse<String> post(String path, String form, String... headers) throws IOException, InterruptedException {
        return send(request(path, headers)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form))
                .build());
    }

    private HttpRequest.Builder request(String path, String... headers) {
        var request = HttpRequest.newBuilder(service.resolve(path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (!cookies.isEmpty()) {
            request.header(
                    "Cookie",
                    cookies.entrySet().stream()
                            .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
                            .collect(Collectors.joining("; ")));
        }
        return request;
    }

    private HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
        var answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        setCookies.clear();
        for (var line : answer.headers().allValues("Set-Cookie")) {
            setCookies.add(line);
            var pair = line.split(";", 2)[0].split("=", 2);
            if (line.contains("Expires=Thu, 01 Jan 1970")) {
                cookies.remove(pair[0]);
            } else {
                cookies.put(pair[0], pair[1]);
            }
        }
        return answer;
    }

    static URI location(HttpResponse<String> answer) {
        return URI.create(answer.headers().firstValue("Location").orElseThrow());
    }

    /** Begins a login and returns where it comes back to, with the provider's answer. */
    URI begin(IdentityProvider provider, String path) throws IOException, InterruptedException {
        return provider.consent(location(get(path)));
    }

    /** A whole login. */
    HttpResponse<String> login(IdentityProvider provider) throws IOException, InterruptedException {
        return back(begin(provider, "/login"));
    }

    /** Goes back to the service, whatever host it calls itself. */
    HttpResponse<String> back(URI callback) throws IOException, InterruptedException {
        return get(callback.getRawPath() + "?" + callback.getRawQuery());
    }
}
