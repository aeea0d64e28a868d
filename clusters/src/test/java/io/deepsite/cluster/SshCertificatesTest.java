package io.deepsite.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.provider.Machine;
import io.deepsite.render.ContractRenderer;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which accounts of a host a site's authority opens. */
class SshCertificatesTest {
    private static final String DROP_IN = "/etc/ssh/sshd_config.d/20-deepsite-certificates.conf";

    @Test
    void theAuthorityCountsForTheUsersOnly() {
        var files = files("{validity: 8h}", "root");

        assertThat(files.get(DROP_IN)).isEqualTo("""
                # Written by deepsite: the site's users log in with certificates. Of other accounts the authority opens none.
                Match User alice,bob
                    TrustedUserCAKeys /etc/ssh/deepsite_user_ca.pub
                """);
        assertThat(files.get("/etc/ssh/deepsite_user_ca.pub"))
                .endsWith("\n" + Marker.publicKey(SiteStages.AUTHORITY) + "\n")
                .doesNotContain(Marker.secret(SiteStages.AUTHORITY));
    }

    @Test
    void keysOfUsersOpenNothingWhereOwnKeysAreOff() {
        assertThat(files("{ownKeys: false}", "root").get(DROP_IN)).contains("    AuthorizedKeysFile none\n");
    }

    /** An inventory may say that deepsite logs in as bob: his key has to go on opening that account. */
    @Test
    void theLoginOfDeepsiteIsLeftAlone() {
        assertThat(files("{ownKeys: false}", "bob").get(DROP_IN)).contains("Match User alice\n");
    }

    @Test
    void comesAfterTheAccounts() {
        var stages = stages("{validity: 8h}", "root");

        assertThat(stages).extracting(Stage::name).containsSubsequence(SiteStages.USERS, SiteStages.CERTIFICATES);
        assertThat(stages.getLast().needs()).containsExactly(SiteStages.USERS);
        assertThat(stages.getLast().role()).isEqualTo(SiteStages.CERTIFICATES_ROLE);
    }

    private static Map<String, String> files(String certificates, String login) {
        var home = DeepsiteHome.find();
        var stage = stages(certificates, login).stream()
                .filter(one -> one.name().equals(SiteStages.CERTIFICATES))
                .findFirst()
                .orElseThrow();
        var machine = machine(login);
        var rendered = new ContractRenderer(home, new TemplateRenderer(home))
                .render(
                        stage.role(),
                        machine,
                        new SiteScope(List.of(machine)),
                        stage.variables().get("head"));
        return rendered.contract().items().stream()
                .filter(Item.File.class::isInstance)
                .map(Item.File.class::cast)
                .collect(Collectors.toMap(
                        Item.File::path, file -> rendered.texts().get(file.body())));
    }

    private static List<Stage> stages(String certificates, String login) {
        var site = TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: lab
                        provider: {lxd: {}}
                        machines:
                          head: {image: debian/12}
                        ssh: {certificates: %s}
                        users:
                          alice: {uid: 2001}
                          bob: {uid: 2002}
                        """.formatted(certificates), Map.of())
                .orFail();
        return TestSites.stages(site, List.of(machine(login)), Map.of(), Map.of());
    }

    private static Machine machine(String login) {
        return new Machine(
                "head",
                new Name("head"),
                Optional.empty(),
                "static",
                new Machine.Specs(1, 1024, false, List.of()),
                new Machine.Ssh(Optional.of("192.0.2.1"), 22, login, Optional.empty()));
    }
}
