package io.deepsite.opennebula;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where endpoint and session string come from, and the messages if they cannot be used. */
final class ConnectionReaderTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void writeSession() throws IOException {
        Files.createDirectories(folder.resolve("home/.one"));
        Files.createDirectories(folder.resolve("work"));
        Files.writeString(folder.resolve("home/.one/one_auth"), StandIn.SESSION + "\n");
    }

    private Connection read(String opennebula, Map<String, String> variables) {
        var settings = (OpenNebulaSettings)
                Fronts.site(opennebula, "{head: {image: debian-12}}").provider();
        var environment = new Environment(variables, folder.resolve("home"));
        return new ConnectionReader(environment, settings, folder.resolve("work")).read();
    }

    private void says(String name, String opennebula, Map<String, String> variables) {
        ErrorText.says(name, folder, () -> read(opennebula, variables));
    }

    @Test
    void defaultsAreThoseOfOpenNebulasOwnCommands() {
        var connection = read("{}", Map.of());

        assertThat(connection.endpoint()).hasToString("http://localhost:2633/RPC2");
        assertThat(connection.session().user()).isEqualTo("alice");
        assertThat(connection.origin()).endsWith("home/.one/one_auth");
        assertThat(connection.toString()).doesNotContain("secret");
    }

    @Test
    void siteYamlOverridesVariablesAndTheyTheDefaults() throws IOException {
        Files.writeString(folder.resolve("env_auth"), "bob:secret-of-bob");
        Files.writeString(folder.resolve("work/site_auth"), "carol:secret-of-carol");
        var variables = Map.of(
                "ONE_XMLRPC",
                "https://env.example:2633/RPC2",
                "ONE_AUTH",
                folder.resolve("env_auth").toString());

        var ofVariables = read("{}", variables);
        var ofSite = read("{endpoint: \"https://site.example/RPC2\", auth: site_auth}", variables);

        assertThat(ofVariables.endpoint()).hasToString("https://env.example:2633/RPC2");
        assertThat(ofVariables.session().user()).isEqualTo("bob");
        assertThat(ofSite.endpoint()).hasToString("https://site.example/RPC2");
        assertThat(ofSite.session().user()).isEqualTo("carol");
    }

    @ParameterizedTest
    @CsvSource({
        "http://localhost:2633/RPC2, false",
        "http://127.0.0.1:2633/RPC2, false",
        "http://[::1]:2633/RPC2, false",
        "https://one.example:2633/RPC2, false",
        "http://one.example:2633/RPC2, true",
        "http://10.0.0.1/RPC2, true"
    })
    void plainHttpToAnotherHostIsAWarning(String endpoint, boolean warned) {
        var settings = (OpenNebulaSettings)
                Fronts.site("{}", "{head: {image: debian-12}}").provider();
        var time = new Fronts.Time();
        var connection = read("{}", Map.of("ONE_XMLRPC", endpoint));
        try (var provider = new OpenNebulaProvider(settings, connection, time, time)) {
            assertThat(provider.warnings()).hasSize(warned ? 1 : 0);
        }
    }

    @Test
    void plainHttpIsReported() {
        var settings = (OpenNebulaSettings)
                Fronts.site("{}", "{head: {image: debian-12}}").provider();
        var time = new Fronts.Time();
        var connection = read("{}", Map.of("ONE_XMLRPC", "http://front.example:2633/RPC2"));
        try (var provider = new OpenNebulaProvider(settings, connection, time, time)) {
            ErrorText.shows("credentials/DS2403-plain-http", provider.warnings());
        }
    }

    @Test
    void noFile() {
        says("credentials/DS2401-usual", "{}", Map.of("HOME", "/nowhere", "ONE_AUTH", "~/gone"));
        says("credentials/DS2401-named", "{auth: gone}", Map.of());
    }

    @ParameterizedTest
    @CsvSource({
        "credentials/DS2402-one-word, secret-of-alice",
        "credentials/DS2402-empty, ' '",
        "credentials/DS2402-two-lines, 'alice:x y'"
    })
    void malformed(String name, String content) throws IOException {
        Files.writeString(folder.resolve("work/auth"), content);

        says(name, "{auth: auth}", Map.of());
    }

    @Test
    void aFolderIsNoSessionString() throws IOException {
        Files.createDirectories(folder.resolve("work/auth"));

        says("credentials/DS2402-folder", "{auth: auth}", Map.of());
    }

    @Test
    void anEndpointWithAPassword() {
        says(
                "credentials/DS2402-endpoint",
                "{}",
                Map.of("ONE_XMLRPC", "https://alice:secret-of-alice@one.example/RPC2"));
    }

    @Test
    void invalidAuthority() throws IOException {
        Files.writeString(folder.resolve("work/ca.pem"), "no certificate");

        says("credentials/DS2402-authority", "{authority: ca.pem}", Map.of());
        says("credentials/DS2402-authority-gone", "{authority: other.pem}", Map.of());
    }
}
