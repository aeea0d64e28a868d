package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.provider.Introduction;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Enrols with a real LXD over https: by its token, by its trust password. */
@ExtendWith(GpuDaemon.class)
final class LxdEnrolmentIT extends EnrolmentContractTest {
    LxdEnrolmentIT() {
        super(GpuDaemon.settings());
    }

    @AfterEach
    void takeNoPassword() {
        var rest = daemon().rest();
        rest.send("PATCH", rest.path(), Map.of("config", Map.of("core.trust_password", "")));
    }

    @Test
    void passwordWorksIfTheServersCertificateIsKnown() throws IOException {
        var rest = daemon().rest();
        rest.send("PATCH", rest.path(), Map.of("config", Map.of("core.trust_password", "it-lxd-word")));
        var server = rest.get(rest.path(), JsonNode.class);
        Files.writeString(
                folder().resolve("server.crt"),
                server.path("environment").path("certificate").asString());

        assertThatThrownBy(() -> enrol(Introduction.Kind.PASSWORD, "another"))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS2117");
        assertThat(enrol(Introduction.Kind.PASSWORD, "it-lxd-word").getLast()).endsWith("trusts this client now.");
    }
}
