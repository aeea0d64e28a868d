package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.openstack.Credentials.ApplicationCredential;
import io.deepsite.openstack.Credentials.Domain;
import io.deepsite.openstack.Credentials.OidcAccessToken;
import io.deepsite.openstack.Credentials.Password;
import io.deepsite.state.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CredentialsReaderTest {
    private static final String LAB = """
            clouds:
              lab:
                region_name: RegionOne
                auth:
                  auth_url: https://cloud.example:5000/v3
                  username: alice
                  password: in-the-file
                  project_name: physics
                  user_domain_name: People
                  project_domain_id: abc
            """;

    @TempDir
    private Path folder;

    private final Map<String, String> variables = new HashMap<>();

    @Test
    void readsACloudOfTheUsersFolder() throws IOException {
        write("home/.config/openstack/clouds.yaml", LAB);

        var credentials = read(Optional.of("lab"));

        assertThat(credentials.authUrl()).hasToString("https://cloud.example:5000/v3");
        assertThat(credentials.region()).contains("RegionOne");
        assertThat(credentials.facing()).isEqualTo("public");
        assertThat(credentials.origin())
                .isEqualTo("cloud lab of " + folder.resolve("home/.config/openstack/clouds.yaml"));
        var password = (Password) credentials.method();
        assertThat(password.user().name()).contains("alice");
        assertThat(password.user().domain()).contains(new Domain(Optional.empty(), Optional.of("People")));
        assertThat(password.password()).isEqualTo(Secret.of("in-the-file"));
        var project = credentials.scope().orElseThrow().project();
        assertThat(project.name()).contains("physics");
        assertThat(project.domain()).contains(new Domain(Optional.of("abc"), Optional.empty()));
    }

    @Test
    void looksWhereTheOpenStackClientsLookInTheirOrder() throws IOException {
        write("etc/clouds.yaml", named("system"));
        assertThat(user()).isEqualTo("system");
        write("home/.config/openstack/clouds.yaml", named("home"));
        assertThat(user()).isEqualTo("home");
        write("xdg/openstack/clouds.yaml", named("xdg"));
        variables.put("XDG_CONFIG_HOME", folder.resolve("xdg").toString());
        assertThat(user()).isEqualTo("xdg");
        write("work/clouds.yml", named("here"));
        assertThat(user()).isEqualTo("here");
        write("elsewhere.yaml", named("variable"));
        variables.put("OS_CLIENT_CONFIG_FILE", folder.resolve("elsewhere.yaml").toString());
        assertThat(user()).isEqualTo("variable");
    }

    @Test
    void laysSecretsOverTheCloud() throws IOException {
        write("work/clouds.yaml", LAB.replace("      password: in-the-file\n", ""));
        write("home/.config/openstack/secure.yaml", "clouds: {lab: {auth: {password: apart}}}\n");

        var password = (Password) read(Optional.of("lab")).method();

        assertThat(password.password()).isEqualTo(Secret.of("apart"));
        assertThat(password.user().name()).contains("alice");
    }

    @Test
    void takesASecretThatTheFilesLeaveOutFromItsVariable() throws IOException {
        write("work/clouds.yaml", LAB.replace("      password: in-the-file\n", ""));
        variables.put("OS_PASSWORD", "from-the-environment");

        assertThat(((Password) read(Optional.of("lab")).method()).password())
                .isEqualTo(Secret.of("from-the-environment"));
    }

    @Test
    void laysACloudOverItsProfile() throws IOException {
        write("work/clouds-public.yaml", """
                public-clouds:
                  egi: {region_name: one, auth: {auth_url: "https://egi.example/v3", project_name: shared}}
                """);
        write("work/clouds.yaml", """
                clouds:
                  mine: {profile: egi, auth: {username: a, password: b, project_name: own}}
                """);

        var credentials = read(Optional.of("mine"));

        assertThat(credentials.authUrl()).hasToString("https://egi.example/v3");
        assertThat(credentials.region()).contains("one");
        assertThat(credentials.scope().orElseThrow().project().name()).contains("own");
    }

    @Test
    void takesTheOnlyCloudWhenNothingNamesOne() throws IOException {
        write("work/clouds.yaml", LAB);

        assertThat(read(Optional.empty()).origin()).startsWith("cloud lab of");
    }

    @Test
    void prefersTheCloudThatIsNamedToOtherVariables() throws IOException {
        write("work/clouds.yaml", LAB);
        setVariables();
        variables.put("OS_CLOUD", "lab");

        assertThat(read(Optional.empty()).origin()).startsWith("cloud lab of");
    }

    @Test
    void readsTheVariablesOfAnOpenrcFile() {
        setVariables();
        variables.put("OS_REGION_NAME", "two");
        variables.put("OS_INTERFACE", "internalURL");
        variables.put("OS_CACERT", "ca.pem");

        var credentials = read(Optional.empty());

        assertThat(credentials.origin()).isEqualTo("the OS_* variables");
        assertThat(credentials.region()).contains("two");
        assertThat(credentials.facing()).isEqualTo("internal");
        assertThat(credentials.authority()).contains(folder.resolve("work/ca.pem"));
        var user = ((Password) credentials.method()).user();
        assertThat(user.domain()).contains(new Domain(Optional.of("default"), Optional.empty()));
    }

    @Test
    void readsAnApplicationCredential() throws IOException {
        write("work/clouds.yaml", """
                clouds:
                  app:
                    auth_type: v3applicationcredential
                    auth:
                      auth_url: https://cloud.example/identity
                      application_credential_id: 1234
                      application_credential_secret: hush
                """);

        var credentials = read(Optional.of("app"));

        assertThat(credentials.scope()).isEmpty();
        assertThat(credentials.method())
                .isEqualTo(new ApplicationCredential(
                        Optional.of("1234"), Optional.empty(), Optional.empty(), Secret.of("hush")));
    }

    @Test
    void readsAnOidcAccessTokenFromVariableOrFile() throws IOException {
        write("work/clouds.yaml", """
                clouds:
                  egi:
                    auth_type: v3oidcaccesstoken
                    identity_provider: egi.eu
                    protocol: openid
                    auth: {auth_url: "https://cloud.example/v3", project_id: p1}
                """);
        variables.put("OS_ACCESS_TOKEN_FILE", "token");
        assertThat(read(Optional.of("egi")).method())
                .isEqualTo(new OidcAccessToken(
                        "egi.eu", "openid", Optional.empty(), Optional.of(folder.resolve("work/token"))));

        variables.put("OS_ACCESS_TOKEN", "eyJ");
        assertThat(read(Optional.of("egi")).method())
                .isEqualTo(new OidcAccessToken("egi.eu", "openid", Optional.of(Secret.of("eyJ")), Optional.empty()));
    }

    @Test
    void showsNoSecretInAnyForm() throws IOException {
        write("work/clouds.yaml", LAB);
        setVariables();

        assertThat(read(Optional.of("lab")).toString()).doesNotContain("in-the-file");
        assertThat(environment().toString()).doesNotContain("from-openrc");
        assertThat(Settings.ofVariables(environment()).toString()).doesNotContain("from-openrc");
        assertThat(new CloudsFiles(environment(), new Faults("x")).read().toString())
                .doesNotContain("in-the-file");
    }

    @Test
    void neverQuotesALineOfABrokenFile() throws IOException {
        write("work/clouds.yaml", LAB.replace("password: in-the-file", "password: 'in-the-file"));

        assertThatThrownBy(() -> read(Optional.of("lab"))).isInstanceOfSatisfying(Failure.class, failure -> {
            assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.OPENSTACK_CREDENTIALS_UNUSABLE);
            assertThat(failure.diagnostics().getFirst().why())
                    .contains("clouds.yaml")
                    .contains("line");
            assertThat(failure.toString() + failure.getCause()).doesNotContain("in-the-file");
        });
    }

    private static String named(String user) {
        return LAB.replace("alice", user);
    }

    private String user() {
        return ((Password) read(Optional.of("lab")).method()).user().words();
    }

    private void setVariables() {
        variables.putAll(Map.of(
                "OS_AUTH_URL", "https://openrc.example:5000/v3",
                "OS_USERNAME", "bob",
                "OS_PASSWORD", "from-openrc",
                "OS_TENANT_NAME", "chemistry"));
    }

    private Environment environment() {
        return new Environment(variables, folder.resolve("work"), folder.resolve("home"), folder.resolve("etc"));
    }

    private Credentials read(Optional<String> cloud) {
        return new CredentialsReader(environment(), RecordedCloud.settings(cloud)).read();
    }

    private void write(String file, String text) throws IOException {
        var path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
