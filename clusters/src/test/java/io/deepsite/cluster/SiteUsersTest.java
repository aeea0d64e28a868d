package io.deepsite.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.slurm.SlurmSite;
import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.render.ContractRenderer;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The contract of the role site_users on hosts with accounts of former users. */
class SiteUsersTest {
    private static final Site SITE = TestSites.load("site.yaml", """
                    apiVersion: deepsite/v1
                    site: lab
                    provider: {lxd: {}}
                    machines:
                      head: {image: debian/12}
                      node: {count: 2, image: debian/12}
                    users:
                      bob: {uid: 2001}
                      dora: {uid: 2004}
                    """, Map.of()).orFail();

    private static final Map<String, Map<String, Integer>> NONE = Map.of();

    @Test
    void anAccountWhoseUidIsReassignedIsDeletedFirst() {
        var contract = contract(Map.of("head", Map.of("alice", 2001, "carol", 2003, "dora", 2004)));

        assertThat(contract.actions()).singleElement().satisfies(action -> {
            assertThat(action.id()).isEqualTo(SiteStages.FORMER_ACCOUNTS);
            assertThat(action.blast()).isEqualTo(Action.Impact.WIPE);
            assertThat(action.does())
                    .isEqualTo(
                            "deletes the account alice of a former user so that bob can have its uid 2001; the files of"
                                    + " alice stay and will belong to bob (to keep the account, give bob another uid"
                                    + " under users.bob.uid)");
            assertThat(action.with())
                    .containsEntry("accounts", List.of(Map.of("name", "alice", "uid", 2001, "heir", "bob")));
            assertThat(action.done()).contains("former= alice:2001");
        });
        assertThat(contract.items()).extracting(Item::phase).containsOnly(Item.Phase.AFTER);
    }

    @Test
    void listsTwoFormerAccountsSeparately() {
        var action = contract(Map.of("head", Map.of("alice", 2001, "carol", 2004)))
                .actions()
                .getFirst();

        assertThat(action.does())
                .contains("users.bob.uid); deletes the account carol")
                .doesNotContain("\n");
        assertThat(action.done()).contains("former= alice:2001 carol:2004");
    }

    /** The contract of an earlier version stays the same, so no change is planned. */
    @Test
    void theContractIsUnchangedIfNoUidIsReassigned() {
        var usual = contract(NONE);

        assertThat(usual.actions()).isEmpty();
        assertThat(usual.items()).extracting(Item::phase).containsOnly(Item.Phase.BEFORE);
        assertThat(contract(Map.of("head", Map.of("carol", 2003, "bob", 2001)))).isEqualTo(usual);
        assertThat(contract(Map.of("node-1", Map.of("alice", 2001)))).isEqualTo(usual);
    }

    @Test
    void theProbeFindsAnAccountOrAGroupOfThatNameAndNumber() throws Exception {
        var done = contract(Map.of("head", Map.of("root", 2001, "nobody", 2004)))
                .actions()
                .getFirst()
                .done();
        assertThat(exit(done)).isZero();

        var there =
                done.stream().map(word -> word.replace("root:2001", "root:0")).toList();
        assertThat(exit(there)).isEqualTo(1);
    }

    private static int exit(List<String> argv) throws Exception {
        return new ProcessBuilder(argv).start().waitFor();
    }

    private static Contract contract(Map<String, Map<String, Integer>> accounts) {
        var machines = List.of(SlurmSite.machines(2, true).getFirst());
        var stage = TestSites.stages(SITE, machines, Map.of(), accounts).stream()
                .filter(one -> one.role().equals("site_users"))
                .findFirst()
                .orElseThrow();
        var home = DeepsiteHome.find();
        return new ContractRenderer(home, new TemplateRenderer(home))
                .render(
                        "site_users",
                        machines.getFirst(),
                        new SiteScope(machines),
                        stage.variables().get("head"))
                .contract();
    }
}
