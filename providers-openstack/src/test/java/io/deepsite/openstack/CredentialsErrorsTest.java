package io.deepsite.openstack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Messages about credentials that cannot be used, before a request is sent; the texts are in golden/errors. */
class CredentialsErrorsTest {
    private static final String LAB = """
            clouds:
              lab:
                auth: {auth_url: "https://cloud.example:5000/v3", username: alice, password: in-the-file, project_name: p}
              lab-test:
                auth: {auth_url: "https://test.example:5000/v3", username: alice, password: in-the-file, project_name: p}
            """;

    private final Map<String, String> variables = new HashMap<>();

    @TempDir
    private Path folder;

    @Test
    void unknownCloud() throws IOException {
        clouds(LAB);

        ErrorText.says(folder, "credentials/DS2301-nearest", () -> read(Optional.of("lab-tset")));
    }

    @Test
    void noFileForTheCloud() {
        ErrorText.says(folder, "credentials/DS2301-no-file", () -> read(Optional.of("lab")));
    }

    @Test
    void noCredentialsAtAll() {
        ErrorText.says(folder, "credentials/DS2302-none", () -> read(Optional.empty()));
    }

    @Test
    void severalCloudsAndNoneNamed() throws IOException {
        clouds(LAB);

        ErrorText.says(folder, "credentials/DS2302-several", () -> read(Optional.empty()));
    }

    @Test
    void noPassword() throws IOException {
        clouds("clouds: {lab: {auth: {auth_url: 'https://cloud.example/v3', username: alice}}}\n");

        ErrorText.says(folder, "credentials/DS2303-no-password", () -> read(Optional.of("lab")));
    }

    @Test
    void unknownWayToLogIn() throws IOException {
        clouds("clouds: {lab: {auth_type: v3kerberos, auth: {auth_url: 'https://cloud.example/v3'}}}\n");

        ErrorText.says(folder, "credentials/DS2303-auth-type", () -> read(Optional.of("lab")));
    }

    @Test
    void brokenFile() throws IOException {
        clouds("clouds:\n  lab:\n    auth: {password: 'in-the-file\n");

        ErrorText.says(folder, "credentials/DS2303-broken-file", () -> read(Optional.of("lab")));
    }

    @Test
    void verificationSwitchedOff() throws IOException {
        clouds(LAB.replace("lab:\n", "lab:\n    verify: false\n"));

        ErrorText.says(folder, "credentials/DS2304-verify", () -> read(Optional.of("lab")));
    }

    @Test
    void insecureInTheEnvironment() {
        variables.putAll(Map.of(
                "OS_AUTH_URL", "https://cloud.example/v3",
                "OS_USERNAME", "a",
                "OS_PASSWORD", "in-the-variable",
                "OS_INSECURE", "true"));

        ErrorText.says(folder, "credentials/DS2304-insecure", () -> read(Optional.empty()));
    }

    private Credentials read(Optional<String> cloud) {
        var environment =
                new Environment(variables, folder.resolve("work"), folder.resolve("home"), folder.resolve("etc"));
        return new CredentialsReader(environment, RecordedCloud.settings(cloud)).read();
    }

    private void clouds(String text) throws IOException {
        var file = folder.resolve("home/.config/openstack/clouds.yaml");
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
