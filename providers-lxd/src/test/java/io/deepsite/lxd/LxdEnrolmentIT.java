package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.provider.Introduction;
import io.deepsite.provider.Tags.Scope.AllSites;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Enrols with a real LXD over https: by its token, by its trust password. */
@ExtendWith(GpuDaemon.class)
final class LxdEnrolmentIT {
    @TempDir
    private Path folder;

    private final RealLxd lxd = new RealLxd(GpuDaemon.settings());
    private String endpoint = "";

    @BeforeEach
    void listen() throws IOException {
        endpoint = lxd.listen();
    }

    @AfterEach
    void trustNobody() {
        var rest = lxd.rest();
        rest.list(rest.path("certificates"), JsonNode.class)
                .forEach(one -> rest.delete(
                        rest.path("certificates", one.path("fingerprint").asString())));
        rest.send("PATCH", rest.path(), Map.of("config", Map.of("core.trust_password", "")));
    }

    @Test
    void tokenEnrollsANewClientOnce() {
        var token = token();

        var done = enrol(Introduction.Kind.TOKEN, token);

        assertThat(done).hasSize(3);
        try (var provider = new LxdProviderFactory().open(settings(), folder)) {
            assertThat(provider.survey(new AllSites()).describe().getFirst()).contains(endpoint);
        }
        assertThat(enrol(Introduction.Kind.TOKEN, token).getLast()).endsWith("already.");
        forgetPair();
        assertThatThrownBy(() -> enrol(Introduction.Kind.TOKEN, token))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS2117")
                .hasMessageNotContaining(token);
    }

    @Test
    void tokenOfAnotherServerIsNotSent() {
        var foreign = EnrolmentTest.token("00".repeat(32));

        assertThatThrownBy(() -> enrol(Introduction.Kind.TOKEN, foreign))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS2103");
    }

    @Test
    void passwordWorksIfTheServersCertificateIsKnown() throws IOException {
        var rest = lxd.rest();
        rest.send("PATCH", rest.path(), Map.of("config", Map.of("core.trust_password", "it-lxd-word")));
        var server = rest.get(rest.path(), JsonNode.class);
        Files.writeString(
                folder.resolve("server.crt"),
                server.path("environment").path("certificate").asString());

        assertThatThrownBy(() -> enrol(Introduction.Kind.PASSWORD, "another"))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS2117");
        assertThat(enrol(Introduction.Kind.PASSWORD, "it-lxd-word").getLast()).endsWith("trusts this client now.");
    }

    private List<String> enrol(Introduction.Kind kind, String text) {
        return new LxdProviderFactory().enroll(settings(), folder, new Introduction(kind, text));
    }

    private LxdSettings settings() {
        return SampleSettings.at(
                        endpoint,
                        GpuDaemon.settings().pool(),
                        GpuDaemon.settings().network())
                .certificates("client.crt", "client.key", "server.crt")
                .lxd();
    }

    private void forgetPair() {
        try {
            Files.delete(folder.resolve("client.crt"));
            Files.delete(folder.resolve("client.key"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A token as `lxc config trust add` prints it. */
    private String token() {
        var rest = lxd.rest();
        var operation =
                rest.send("POST", rest.path("certificates"), Map.of("type", "client", "name", "it-lxd", "token", true));
        var given = operation.metadata().path("metadata");
        var token = Json.MAPPER.createObjectNode();
        token.put("client_name", "it-lxd");
        for (var key : new String[] {"fingerprint", "addresses", "secret"}) {
            token.set(key, given.path(key));
        }
        return Base64.getEncoder().encodeToString(Json.MAPPER.writeValueAsBytes(token));
    }
}
