package io.deepsite.cluster.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.TestSites;
import io.deepsite.cluster.Stage;
import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The key {@code rest} of a Slurm cluster, and tokens for it. */
class SlurmRestTest {
    private static final List<Machine> MACHINES = SlurmSite.machines(2, true);

    private final SlurmInvocation context = new SlurmInvocation();

    @Test
    void withoutTheKeyNothingIsAdded() {
        assertThat(TestSites.stages(SlurmSite.SITE, MACHINES))
                .noneMatch(stage ->
                        stage.role().equals("slurm_jwt") || stage.role().equals("slurm_rest"));
        assertThat(of("slurm_controller", SlurmSite.SITE).variables().get("head"))
                .doesNotContainKeys("slurm_controller_jwt", "slurm_controller_own_tokens");
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
                AuthAltParameters=jwt_key=/etc/slurm/deepsite-jwt.key,max_token_lifespan=2592000
                SlurmctldPort=6817
                """);
    }

    @Test
    void onlyTheControllerHasTheKeyAndTheInterface() {
        var site = site("{}");

        assertThat(of("slurm_rest", site).hosts()).containsExactly("head");
        assertThat(of("slurm_controller", site).hosts()).containsExactly("head");
        assertThat(files(site)).containsKey("/etc/slurm/deepsite-jwt.key");
        assertThat(files(SlurmSite.SITE)).doesNotContainKey("/etc/slurm/deepsite-jwt.key");
    }

    @Test
    void usersMakeTokensForThemselvesUnlessTheSiteSaysNo() {
        assertThat(configuration(site("{ownTokens: true}"))).doesNotContain("disable_token_creation");
        assertThat(configuration(site("{ownTokens: false}")))
                .contains("max_token_lifespan=2592000,disable_token_creation\nSlurmctldPort");
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
