package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.Fuzz;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import okhttp3.Headers;
import okhttp3.HttpUrl;
import org.junit.jupiter.api.Test;
import org.openstack4j.openstack.common.ListResult;
import org.openstack4j.openstack.compute.domain.NovaKeypair;
import org.openstack4j.openstack.compute.domain.ext.ExtAvailabilityZone;
import org.openstack4j.openstack.identity.v3.domain.KeystoneToken;
import org.openstack4j.openstack.networking.domain.NeutronFloatingIP;
import org.openstack4j.openstack.networking.domain.NeutronSecurityGroup;
import tools.jackson.databind.JsonNode;

/** Damaged answers of a cloud, and answers of a proxy in its place. */
class AnswerFuzzTest {
    private static final List<Function<JsonNode, ?>> READERS = List.of(
            Read::server,
            Read::flavor,
            Read::serverGroup,
            Read::image,
            Read::network,
            Read::subnet,
            Read::router,
            Read::port,
            Read::volume);

    @Test
    void anAnswerIsReadOrIsNone() throws IOException {
        Fuzz.run("openstack", recorded(), text -> {
            var answer = new Answer(
                    404,
                    "Not Found",
                    Headers.of(),
                    text.getBytes(StandardCharsets.UTF_8),
                    "GET https://cloud.example/");
            var node = answer.json();
            for (var one : node.isArray() ? node : List.of(node)) {
                READERS.forEach(reader -> reader.apply(one));
            }
            catalogue(answer);
            typed(answer, NeutronSecurityGroup.SecurityGroups.class, Read::securityGroup);
            typed(answer, NeutronFloatingIP.FloatingIPs.class, Read::floatingIp);
            typed(answer, NovaKeypair.Keypairs.class, Read::keypair);
            typed(answer, ExtAvailabilityZone.AvailabilityZones.class, Read::zone);
            answer.refusal().getMessage();
        });
    }

    private static <T> void typed(Answer answer, Class<? extends ListResult<? extends T>> type, Function<T, ?> read) {
        try {
            var list = new Pages(HttpUrl.get("https://cloud.example/"), _ -> answer).joined();
            new OkHttpReply(list)
                    .readEntity(type).getList().stream()
                            .filter(Objects::nonNull)
                            .forEach(read::apply);
        } catch (Refusal refusal) {
            assertThat(refusal).hasMessageStartingWith("not as the service answers");
        }
    }

    private static void catalogue(Answer answer) {
        try {
            ServiceCatalogue.of(new OkHttpReply(answer).readEntity(KeystoneToken.class));
        } catch (Refusal refusal) {
            assertThat(refusal).hasMessageStartingWith("not as the service answers");
        }
    }

    private static List<String> recorded() throws IOException {
        var texts = new ArrayList<String>();
        try (var files = Files.list(Path.of("src/test/resources/recorded"))) {
            for (var file : files.sorted().toList()) {
                texts.add(Files.readString(file));
            }
        }
        return texts;
    }
}
