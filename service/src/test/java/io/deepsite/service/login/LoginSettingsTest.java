package io.deepsite.service.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Failure;
import io.deepsite.service.access.MemberSettings;
import io.deepsite.site.Key;
import io.deepsite.site.load.DocumentLoader;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoginSettingsTest {
    public record Document(
            @Key("Login.") Optional<LoginSettings> login,
            @Key("Members.") Optional<MemberSettings> members,
            @Key("Limits.") Optional<LimitSettings> limits) {}

    private static Document read(String text) {
        return new DocumentLoader<>(Document.class, "settings", "login: {}", "help")
                .load("service.yaml", text, (_, _, _) -> {});
    }

    @Test
    void defaults() {
        var login = read("login: {issuer: \"https://iam.example.org/\", clientId: deepsite}\n")
                .login()
                .orElseThrow();

        assertThat(login)
                .isEqualTo(new LoginSettings(
                        "https://iam.example.org/",
                        "deepsite",
                        Optional.empty(),
                        List.of(),
                        "groups",
                        "name",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        false));
        assertThat(login.allScopes()).containsExactly("openid", "email", "profile");
        assertThat(login.tokenAudience()).isEqualTo("deepsite");
        assertThat(read("limits: {}\n").limits()).contains(LimitSettings.DEFAULT);
    }

    @Test
    void everyKey() {
        var document = read("""
                login:
                  issuer: https://iam.example.org/realms/lab
                  clientId: deepsite
                  clientSecret: {file: /etc/deepsite/client-secret}
                  scopes: [profile, wlcg.groups]
                  groupsClaim: /realm_access/roles
                  nameClaim: preferred_username
                  audience: https://clusters.example.org
                  caFile: /etc/ssl/lab-ca.crt
                  publicClientId: deepsite-cli
                members:
                  users: ["urn:geant:example.org:group:lab#iam.example.org", /lab, "two words"]
                  managers: [/lab/managers]
                limits: {perAddress: 1, perPerson: 2, loginsPerAddress: 3}
                """);

        assertThat(document.login())
                .contains(new LoginSettings(
                        "https://iam.example.org/realms/lab",
                        "deepsite",
                        Optional.of(new SecretReference(Optional.of("/etc/deepsite/client-secret"), Optional.empty())),
                        List.of("profile", "wlcg.groups"),
                        "/realm_access/roles",
                        "preferred_username",
                        Optional.of("https://clusters.example.org"),
                        Optional.of("/etc/ssl/lab-ca.crt"),
                        Optional.of("deepsite-cli"),
                        false));
        assertThat(document.login().orElseThrow().allScopes()).containsExactly("openid", "profile", "wlcg.groups");
        assertThat(document.members().orElseThrow().users())
                .containsExactly("urn:geant:example.org:group:lab#iam.example.org", "/lab", "two words");
        assertThat(document.limits()).contains(new LimitSettings(1, 2, 3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://aai.egi.eu/auth/realms/egi",
                "https://iam.cloud.example.org/",
                "https://[2001:db8::1]:8443/",
                "http://127.0.0.1:8080/realms/lab",
                "http://localhost:4444",
            })
    void issuers(String issuer) {
        assertThat(read("login: {issuer: \"" + issuer + "\", clientId: deepsite}\n")
                        .login())
                .map(LoginSettings::issuer)
                .contains(issuer);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://iam.example.org",
                "http://127.0.0.1.evil.example.org",
                "https://user:word@iam.example.org",
                "https://iam.example.org?a=b",
                "file:///etc/passwd",
                "iam.example.org",
            })
    void otherIssuersAreRefused(String issuer) {
        var failure = catchThrowableOfType(
                Failure.class, () -> read("login: {issuer: \"" + issuer + "\", clientId: deepsite}\n"));

        assertThat(failure.diagnostics().getFirst().where()).isNotNull();
    }

    @Test
    void aSecretIsInOnePlace() {
        for (var reference : List.of("{}", "{file: /a, env: A}", "{file: relative}", "hunter2")) {
            var failure = catchThrowableOfType(
                    Failure.class,
                    () -> read("login: {issuer: \"https://iam.example.org\", clientId: a, clientSecret: " + reference
                            + "}\n"));

            assertThat(failure).as(reference).isNotNull();
        }
    }
}
