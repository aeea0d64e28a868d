package io.deepsite.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.ansible.FakeAnsible;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.operations.MemorySites;
import io.deepsite.operations.RuntimeContext;
import io.deepsite.operations.SiteContext;
import io.deepsite.provider.FakeProviderFactory;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.service.records.Tables;
import io.deepsite.state.FileStores;
import io.deepsite.state.Secret;
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
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The whole service on a port of its own, with the test login and a cloud in memory. */
final class ServiceOnFake implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final Pattern CSRF = Pattern.compile("name=\"csrf\" value=\"([^\"]+)\"");

    static final Map<String, String> SECRETS = Map.of(
            "door_password",
            "sesame-of-the-door",
            "door_u_alice_password",
            "sesame-of-alice",
            "munge_key",
            "sesame-of-munge");

    final MemorySites cloud = new MemorySites();
    private final Path folder;
    private Service service;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    ServiceOnFake(Path folder) {
        this(folder, "listen: 127.0.0.1:0\nmetrics: 127.0.0.1:0\n");
    }

    /** @param settings further keys of service.yaml, where it listens among them */
    ServiceOnFake(Path folder, String settings) {
        this.folder = folder;
        write(folder.resolve("service.yaml"), settings + """
                accessLog: %s
                administrators: [admins]
                mail: {smtp: "127.0.0.1:1", security: none, from: deepsite@example.org}
                projects:
                  biology:
                    members: {users: [biologists], managers: [heads]}
                    quota: {machines: 4}
                    ownSites: {base: own.yaml, images: [debian/12, debian/13], disk: 10GiB}
                  physics:
                    members: {users: [physicists]}
                """.formatted(accessLog()));
        write(folder.resolve("own.yaml"), """
                provider: {fake: {}}
                lease: {duration: 2h, max: 8h}
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
        write(folder.resolve("catalogue/door/template.yaml"), """
                title: A door
                description: With a key.
                account: true
                secrets: [door_password, door_ACCOUNT_password, none_password]
                """);
        write(folder.resolve("catalogue/door/site.yaml"), """
                apiVersion: deepsite/v1
                site: template
                provider: {fake: {}}
                machines:
                  node: {image: debian/12}
                clusters:
                  front: {kind: door, hosts: [node]}
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
        service = start();
    }

    Path accessLog() {
        return folder.resolve("access.log");
    }

    private Service start() {
        return Service.start(folder.resolve("service.yaml"), true, runtime(folder), this::open);
    }

    /** Starts anew with a site that counts as ready: one with roles is not built in memory. */
    void ready(String id) {
        service.close();
        try (var tables = Tables.inFolder(folder.resolve(".deepsite/service"))) {
            tables.in(handle -> handle.execute("UPDATE service.site SET status = 'ready' WHERE id = ?", id));
        }
        service = start();
    }

    /** Each site has these secrets. */
    private SiteContext open(Path file, Map<String, String> set, RuntimeContext runtime) {
        var context = cloud.open(file, set, runtime);
        SECRETS.forEach((name, value) -> {
            if (!context.secrets().names().contains(name)) {
                context.secrets().put(name, Secret.of(value));
            }
        });
        return context;
    }

    static Service start(Path file) {
        return Service.start(file, true, runtime(file.resolveSibling(".")), new MemorySites()::open);
    }

    /** With a program in place of ansible-playbook, which changes no host. */
    private static RuntimeContext runtime(Path folder) {
        try {
            FakeAnsible.PASSING.write(folder.resolve("tools"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new RuntimeContext(
                DeepsiteHome.find(),
                "1.0",
                Map.of("PATH", folder.resolve("tools") + ":/usr/bin:/bin"),
                folder,
                folder.resolve("root"),
                InstantSource.system(),
                SshTimes.USUAL,
                new ClusterKinds(List.of(new DoorKind()), List.of(new FakeProviderFactory())),
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

        String csrf() {
            return csrf;
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
            return ordered("\"template\": \"hpc\", \"parameters\": {\"nodes\": \"" + nodes + "\"}");
        }

        /** Of another template, planned. */
        String planned(String template) {
            var id = ordered("\"template\": \"" + template + "\"");
            await(id, "planned");
            return id;
        }

        private String ordered(String order) {
            var answer = post("/v1/sites", "{\"project\": \"biology\", " + order + "}");
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
                assertThat(lines.filter(line -> line.startsWith("data:"))
                                .map(_ -> site(id))
                                .filter(site -> List.of(status, "failed")
                                        .contains(site.path("status").asString()))
                                .findFirst())
                        .hasValueSatisfying(
                                site -> assertThat(site.path("status").asString())
                                        .as(site.toString())
                                        .isEqualTo(status));
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
