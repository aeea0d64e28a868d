package io.deepsite.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.operations.MemorySites;
import io.deepsite.operations.RuntimeContext;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.state.FileStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole service on a port of its own, with the test login and a cloud in memory. */
final class ServiceOnFake implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");

    final MemorySites cloud = new MemorySites();
    private final Service service;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    ServiceOnFake(Path folder) {
        write(folder.resolve("service.yaml"), """
                listen: 127.0.0.1:0
                metrics: 127.0.0.1:0
                administrators: [admins]
                projects:
                  biology:
                    members: {users: [biologists], managers: [heads]}
                    quota: {machines: 4}
                  physics:
                    members: {users: [physicists]}
                """);
        write(folder.resolve("catalogue/hpc/template.yaml"), "title: A cluster\ndescription: To compute.\n");
        write(folder.resolve("catalogue/hpc/site.yaml"), """
                apiVersion: deepsite/v1
                site: template
                provider: {fake: {}}
                lease: {duration: "${time}", max: 8h}
                parameters:
                  nodes: {type: integer, default: 1, min: 1, max: 16, description: How many machines}
                  time: {type: time, default: 2h}
                machines:
                  node: {image: debian/12, cpus: 2, memory: 1GiB, count: "${nodes}"}
                """);
        write(folder.resolve("catalogue/secret/template.yaml"), """
                title: For physicists
                description: Nobody else orders it.
                projects: [physics]
                """);
        write(folder.resolve("catalogue/secret/site.yaml"), """
                apiVersion: deepsite/v1
                site: template
                provider: {fake: {}}
                machines:
                  node: {image: debian/12}
                """);
        service = Service.start(folder.resolve("service.yaml"), true, runtime(folder), cloud::open);
    }

    static Service start(Path file) {
        return Service.start(file, true, runtime(file.resolveSibling(".")), new MemorySites()::open);
    }

    private static RuntimeContext runtime(Path folder) {
        return new RuntimeContext(
                DeepsiteHome.find(),
                "1.0",
                Map.of(),
                folder,
                InstantSource.system(),
                SshTimes.USUAL,
                MemorySites.kinds(),
                FileStores::new,
                _ -> {});
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    URI metrics() {
        return service.metrics().orElseThrow();
    }

    URI at(String path) {
        return service.seen().resolve(path);
    }

    HttpClient client() {
        return client;
    }

    /** A browser in which somebody is logged in. */
    Browser login(String name, String... groups) {
        var sent = send(HttpRequest.newBuilder(at("/login/test"))
                .header("Origin", service.seen().toString())
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(
                        form(Map.of("name", name, "groups", String.join(" ", groups), "to", "/"))))
                .build());
        assertThat(sent.statusCode()).isEqualTo(303);
        return new Browser(sent.headers().firstValue("Set-Cookie").orElseThrow().replaceAll(";.*", ""));
    }

    static String form(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
    }

    HttpResponse<String> send(HttpRequest request) {
        try {
            return client.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Requests with a session. */
    final class Browser {
        private final String cookie;
        private final String csrf;

        Browser(String cookie) {
            this.cookie = cookie;
            var found = CSRF.matcher(page("/").body());
            assertThat(found.find()).isTrue();
            this.csrf = found.group(1);
        }

        String cookie() {
            return cookie;
        }

        HttpRequest.Builder request(String path) {
            return HttpRequest.newBuilder(at(path)).header("Cookie", cookie);
        }

        /** With what the pages of this service send along. */
        HttpRequest.Builder change(String path) {
            return request(path)
                    .header("Origin", service.seen().toString())
                    .header("X-CSRF-Token", csrf)
                    .header("Content-Type", "application/json");
        }

        HttpResponse<String> page(String path) {
            return send(request(path).header("Accept", "text/html").build());
        }

        HttpResponse<String> get(String path) {
            return send(request(path).build());
        }

        HttpResponse<String> post(String path, String body) {
            return send(
                    change(path).POST(HttpRequest.BodyPublishers.ofString(body)).build());
        }

        HttpResponse<String> delete(String path) {
            return send(change(path).DELETE().build());
        }

        HttpResponse<String> submit(String path, Map<String, String> fields) {
            return send(request(path)
                    .header("Accept", "text/html")
                    .header("Origin", service.seen().toString())
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(HttpRequest.BodyPublishers.ofString(form(fields) + "&csrf=" + csrf))
                    .build());
        }

        String order(int nodes) {
            var answer = post(
                    "/v1/sites",
                    "{\"project\": \"biology\", \"template\": \"hpc\", \"parameters\": {\"nodes\": \"" + nodes
                            + "\"}}");
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
            return JSON.readTree(answer.body()).path("id").asString();
        }

        JsonNode site(String id) {
            return JSON.readTree(get("/v1/sites/" + id).body());
        }

        /** Follows the events of a site until it is in this state. */
        void await(String id, String status) {
            try (var lines = client.send(
                            request("/v1/sites/" + id + "/events").build(), HttpResponse.BodyHandlers.ofLines())
                    .body()) {
                assertThat(lines.anyMatch(line -> line.startsWith("data:")
                                && site(id).path("status").asString().equals(status)))
                        .as("the site is " + status)
                        .isTrue();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    @Override
    public void close() {
        client.close();
        service.close();
    }
}
