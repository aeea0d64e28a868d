package io.deepsite.service.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jwt.JWTParser;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FaultMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultMessagesTest {
    @Test
    void saysWhichProviderDoesNotAnswer() {
        // Nothing listens on port 1.
        var provider = new OpenIdProvider(WithLogins.settings("http://127.0.0.1:1/", Optional.empty()), Map.of());

        FaultMessage.assertReads("service/DS8120-nobody-listens", () -> provider.answersAs(Optional.empty()));
    }

    @Test
    void saysWhatTheProviderAnswers() {
        FaultMessage.assertReads("service/DS8121-provider-refuses", () -> {
            throw OpenIdProvider.refused("access_denied", Optional.of("You are no member of the virtual organisation"));
        });
    }

    @Test
    void saysWhyATokenIsRefused() throws Exception {
        try (var provider = new IdentityProvider()) {
            var asked = new OpenIdProvider(WithLogins.settings(provider.issuer(), Optional.empty()), Map.of());
            var token = JWTParser.parse(
                    provider.signed(provider.claims().audience("other").build()));

            FaultMessage.assertReads(
                    "service/DS8122-other-audience",
                    () -> asked.bearer(token),
                    text -> text.replace(provider.issuer(), "https://iam.example.org"));
        }
    }

    @Test
    void refusesAPageOfAnotherSite() {
        FaultMessage.assertReads("service/DS8123-no-token", () -> {
            throw CrossSiteCheck.refused("It lacks the token of the session.");
        });
    }

    @Test
    void saysWhereASecretIsMissing() {
        FaultMessage.assertReads(
                "service/DS8124-variable-not-set",
                () -> new SecretReference(Optional.empty(), Optional.of("DEEPSITE_CLIENT_SECRET")).read(Map.of()));
    }

    @Test
    void readsASecret(@TempDir Path folder) throws Exception {
        var file = Files.writeString(folder.resolve("secret"), "hunter2\n");

        assertThat(new SecretReference(Optional.of(file.toString()), Optional.empty()).read(Map.of()))
                .isEqualTo("hunter2");
        assertThat(new SecretReference(Optional.empty(), Optional.of("A")).read(Map.of("A", "hunter2")))
                .isEqualTo("hunter2");
        for (var missing : List.of(folder.resolve("none"), Files.createFile(folder.resolve("empty")))) {
            assertThatThrownBy(
                            () -> new SecretReference(Optional.of(missing.toString()), Optional.empty()).read(Map.of()))
                    .isInstanceOf(Failure.class)
                    .hasMessageContaining(missing.toString());
        }
    }

    @Test
    void namesTheAuthorityFileThatCannotBeUsed() {
        var settings = new LoginSettings(
                "https://iam.example.org",
                "deepsite",
                Optional.empty(),
                List.of(),
                "groups",
                "name",
                Optional.empty(),
                Optional.of("/nowhere/ca.crt"),
                Optional.empty(),
                false);

        assertThatThrownBy(() -> new OpenIdProvider(settings, Map.of()))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("/nowhere/ca.crt");
    }
}
