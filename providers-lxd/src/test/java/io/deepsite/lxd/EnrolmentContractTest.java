package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.provider.Introduction;
import io.deepsite.provider.Provider;
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
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Enrols with a real daemon over https, by its token. */
abstract class EnrolmentContractTest {
    @TempDir
    private Path folder;

    private final DaemonSettings local;
    private final RealLxd lxd;
    private String endpoint = "";

    /** @param local a daemon of the tests' own, at its socket */
    EnrolmentContractTest(DaemonSettings local) {
        this.local = local;
        this.lxd = new RealLxd(local);
    }

    RealLxd daemon() {
        return lxd;
    }

    Path folder() {
        return folder;
    }

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
    }

    @Test
    void tokenEnrollsANewClientOnce() {
        var token = token();

        var done = enrol(Introduction.Kind.TOKEN, token);

        assertThat(done).hasSize(3);
        try (var provider = open()) {
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

    final List<String> enrol(Introduction.Kind kind, String text) {
        var introduction = new Introduction(kind, text);
        var sample = SampleSettings.at(endpoint, local.pool(), local.network())
                .certificates("client.crt", "client.key", "server.crt");
        return local.daemon() == Daemon.LXD
                ? new LxdProviderFactory().enroll(sample.lxd(), folder, introduction)
                : new IncusProviderFactory().enroll(sample.incus(), folder, introduction);
    }

    private Provider open() {
        var sample = SampleSettings.at(endpoint, local.pool(), local.network())
                .certificates("client.crt", "client.key", "server.crt");
        return local.daemon() == Daemon.LXD
                ? new LxdProviderFactory().open(sample.lxd(), folder)
                : new IncusProviderFactory().open(sample.incus(), folder);
    }

    private void forgetPair() {
        try {
            Files.delete(folder.resolve("client.crt"));
            Files.delete(folder.resolve("client.key"));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A token as the daemon's own client prints it. */
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
