package io.deepsite.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kubeconfigs and secrets, as owners, managers and others ask for them. */
class SiteLoginTest {
    private static final String SECRET = "sesame-of-the-door";

    @TempDir
    Path folder;

    private ServiceOnFake service;
    private ServiceOnFake.Browser alice;
    private ServiceOnFake.Browser hannah;
    private String id;

    @BeforeEach
    void start() {
        service = new ServiceOnFake(folder);
        alice = service.login("alice", "biologists");
        hannah = service.login("hannah", "heads");
        id = alice.planned("door");
        service.ready(id);
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private String secret(String name) {
        return "/v1/sites/" + id + "/secrets/" + name;
    }

    @Test
    void theOwnerGetsTheKubeconfigOfACluster() {
        var answer = alice.get("/v1/sites/" + id + "/kubeconfig");

        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("cluster: front of node\n");
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/yaml");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(alice.page("/sites/" + id).body())
                .contains("/v1/sites/" + id + "/kubeconfig?cluster=front", "Kubeconfig of front");
        assertThat(hannah.page("/sites/" + id).body()).doesNotContain("Kubeconfig of front");
        assertThat(hannah.get("/v1/sites/" + id + "/kubeconfig").statusCode()).isEqualTo(403);
        assertThat(service.login("mallory", "biologists")
                        .get("/v1/sites/" + id + "/kubeconfig")
                        .statusCode())
                .isEqualTo(404);
        assertThat(alice.get("/v1/sites/" + id + "/kubeconfig?cluster=back").statusCode())
                .isEqualTo(404);
    }

    @Test
    void aSecretIsShownOnceToItsOwner() {
        assertThat(alice.get("/v1/sites/" + id + "/secrets").body())
                .contains("door_password", "door_u_alice_password")
                .doesNotContain("sesame", "munge", "shownAt");

        var first = alice.post(secret("door_password"), "");
        var second = alice.post(secret("door_password"), "");

        assertThat(first.statusCode()).as(first.body()).isEqualTo(200);
        assertThat(first.body()).contains("\"value\":\"" + SECRET + "\"");
        assertThat(first.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(second.statusCode()).isEqualTo(409);
        assertThat(second.body()).contains("was shown to you already", "/again").doesNotContain(SECRET);
        assertThat(alice.post(secret("door_u_alice_password"), "").body()).contains("sesame-of-alice");
        assertThat(hannah.get("/v1/audit?project=biology").body()).contains("secret shown", "door_password");
    }

    @Test
    void onlyAManagerLetsItBeShownAgain() {
        alice.post(secret("door_password"), "");

        assertThat(alice.post(secret("door_password") + "/again", "").statusCode())
                .isEqualTo(403);
        assertThat(hannah.post(secret("door_password"), "").statusCode()).isEqualTo(403);
        assertThat(hannah.post(secret("door_password") + "/again", "").statusCode())
                .isEqualTo(200);
        assertThat(alice.post(secret("door_password"), "").body()).contains(SECRET);
        assertThat(hannah.get("/v1/audit?project=biology").body()).contains("secret may be shown again");
    }

    @Test
    void aSecretThatTheTemplateDoesNotNameIsNobodysBusiness() {
        for (var name : new String[] {"munge_key", "none_password", "door"}) {
            var answer = alice.post(secret(name), "");
            assertThat(answer.statusCode()).as(name).isEqualTo(404);
            assertThat(answer.body()).doesNotContain("sesame", "munge_key,");
        }
        assertThat(service.login("mallory", "biologists")
                        .post(secret("door_password"), "")
                        .statusCode())
                .isEqualTo(404);
    }

    @Test
    void thePageShowsItOnceAndKeepsItNowhere() throws IOException {
        var page = "/sites/" + id + "/secrets/door_password";
        assertThat(alice.page("/sites/" + id).body()).contains("Show it once").doesNotContain("sesame");

        var shown = alice.submit(page, Map.of());

        assertThat(shown.statusCode()).as(shown.body()).isEqualTo(200);
        assertThat(shown.body()).contains(SECRET, "It is shown this once");
        assertThat(shown.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(alice.submit(page, Map.of()).body()).doesNotContain(SECRET);
        assertThat(alice.page("/sites/" + id).body()).contains("a manager of the project may let it be shown again");
        assertThat(alice.site(id).toString()).doesNotContain("sesame");
        assertThat(hannah.page("/sites/" + id).body()).contains("Let it be shown once more");
        assertThat(hannah.submit(page + "/again", Map.of()).statusCode()).isEqualTo(303);

        service.close();
        assertThat(service.accessLog())
                .content()
                .contains("/secrets/{secret}\",\"parameters\":{", "\"secret\":\"door_password\"")
                .doesNotContain("sesame");
        // The vault of the site is in clear on this cloud; the tables are the service's.
        try (var files = Files.list(folder.resolve(".deepsite/service"))) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
                        .as(file.toString())
                        .doesNotContain("sesame");
            }
        }
    }
}
