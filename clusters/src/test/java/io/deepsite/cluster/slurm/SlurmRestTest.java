package io.deepsite.cluster.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.TestSites;
import io.deepsite.cluster.Stage;
import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.site.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The key {@code rest} of a Slurm cluster, and tokens for it. */
class SlurmRestTest {
    private static final List<Machine> MACHINES = SlurmSite.machines(2, true);
    private static final String KEYS = "{\"keys\": [{\"kty\": \"RSA\", \"alg\": \"RS256\", \"kid\": \"1\","
            + " \"n\": \"AQAB\", \"e\": \"AQAB\"}]}";

    @TempDir
    private Path folder;

    private final SlurmInvocation context = new SlurmInvocation();

    @Test
    void withoutTheKeyNothingIsAdded() {
        assertThat(TestSites.stages(SlurmSite.SITE, MACHINES))
                .noneMatch(stage ->
                        stage.role().equals("slurm_jwt") || stage.role().equals("slurm_rest"));
        assertThat(of("slurm_controller", SlurmSite.SITE).variables().get("head"))
                .doesNotContainKeys("slurm_controller_jwt", "slurm_controller_jwks");
    }

    /** Programs of Slurm do not start without a plugin that slurm.conf names. */
    @Test
    void everyMachineHasThePluginBeforeSlurmIsToldOfIt() {
        var site = site("{}");

        assertThat(of("slurm_jwt", site).hosts()).containsExactly("head", "node-1", "node-2");
        assertThat(of("slurm_controller", site).needs()).contains("hpc.slurm_jwt");
        assertThat(configuration(site)).contains("""
                AuthType=auth/munge
                AuthAltTypes=auth/jwt
                AuthAltParameters=jwt_key=/etc/slurm/deepsite-jwt.key
                SlurmctldPort=6817
                """);
    }

    @Test
    void onlyTheControllerHasTheKeyAndTheInterface() {
        var site = site("{}");

        assertThat(of("slurm_rest", site).hosts()).containsExactly("head");
        assertThat(of("slurm_controller", site).hosts()).containsExactly("head");
        assertThat(files(site))
                .containsKey("/etc/slurm/deepsite-jwt.key")
                .doesNotContainKey("/etc/slurm/deepsite-jwks.json");
        assertThat(files(SlurmSite.SITE)).doesNotContainKey("/etc/slurm/deepsite-jwt.key");
    }

    @Test
    void keysOfAProviderCountBesideTheClustersOwn() throws IOException {
        var file = Files.writeString(folder.resolve("keys.json"), KEYS);
        var site = site("{jwksFile: " + file + "}");

        assertThat(files(site)).containsEntry("/etc/slurm/deepsite-jwks.json", KEYS);
        assertThat(configuration(site))
                .contains(
                        "AuthAltParameters=jwt_key=/etc/slurm/deepsite-jwt.key,jwks=/etc/slurm/deepsite-jwks.json\nSlurmctldPort");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no JSON",
                "{}",
                "{\"keys\": []}",
                "{\"keys\": [{\"kty\": \"EC\", \"alg\": \"ES256\", \"kid\": \"1\"}]}",
                "{\"keys\": [{\"kty\": \"RSA\", \"alg\": \"RS256\", \"kid\": \"1\", \"n\": \"A\", \"e\": \"A\", \"d\": \"A\"}]}"
            })
    void keysThatSlurmCannotReadAreRefused(String text) throws IOException {
        var file = Files.writeString(folder.resolve("keys.json"), text);

        assertThatThrownBy(() -> TestSites.stages(site("{jwksFile: " + file + "}"), MACHINES))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("DS1002")
                .hasMessageContaining("no set of public keys");
    }

    @Test
    void tokenIsWhatSlurmPrints() {
        context.site = site("{}");
        context.answers = List.of("SLURM_JWT=aaa.bbb.ccc\n");

        token("alice", "--for", "8h");

        assertThat(context.printed).asString().isEqualTo("aaa.bbb.ccc\n");
        assertThat(context.argv).containsExactly("scontrol", "token", "username=alice", "lifespan=28800");
    }

    @Test
    void tokenHasItsEndInJson() {
        context.site = site("{}");
        context.answers = List.of("SLURM_JWT=aaa.bbb.ccc\n");
        context.json = true;

        token("alice");

        assertThat(context.object)
                .containsEntry("user", "alice")
                .containsEntry("token", "aaa.bbb.ccc")
                .containsEntry("ends", "2026-11-26T13:00:30Z");
    }

    @Test
    void tokensAreForUsersOfTheSiteOnly() {
        context.site = site("{}");

        assertThat(refused("root")).isEqualTo(Code.COMMAND_LINE);
        assertThat(refused("alice", "--for", "31d")).isEqualTo(Code.COMMAND_LINE);
        assertThat(refused("alice", "--for", "long")).isEqualTo(Code.COMMAND_LINE);
        assertThat(context.asked).isEmpty();
    }

    @Test
    void clusterWithoutTheInterfaceGivesNone() {
        assertThat(refused("alice")).isEqualTo(Code.NOT_WITH_KIND);
    }

    @Test
    void whatIsNoTokenIsNotPassedOn() {
        context.site = site("{}");
        context.answers = List.of("nonsense\n");

        assertThat(refused("alice")).isEqualTo(Code.NOT_PROVED);
        assertThat(context.printed).isEmpty();
    }

    private Code refused(String... words) {
        return catchThrowableOfType(Failure.class, () -> token(words))
                .diagnostics()
                .getFirst()
                .code();
    }

    private void token(String... words) {
        var command = new TokenCommand();
        new CommandLine(command).parseArgs(words);
        assertThat(command.run(context)).isZero();
    }

    private static Map<String, String> files(Site site) {
        return SlurmContractsTest.files(site, MACHINES, "head");
    }

    private static String configuration(Site site) {
        return files(site).getOrDefault("/etc/slurm/slurm.conf", "");
    }

    private static Stage of(String role, Site site) {
        return TestSites.stages(site, MACHINES).stream()
                .filter(stage -> stage.role().equals(role))
                .findFirst()
                .orElseThrow();
    }

    private static Site site(String rest) {
        return SlurmSite.site("debian/12", "rest: " + rest);
    }
}
