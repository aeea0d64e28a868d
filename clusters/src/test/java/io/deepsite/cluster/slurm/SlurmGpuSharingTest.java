package io.deepsite.cluster.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.Acceptance;
import io.deepsite.contract.Item;
import io.deepsite.provider.Machine;
import io.deepsite.render.ContractRenderer;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Cards that jobs of Slurm share. */
class SlurmGpuSharingTest {
    private static final TemplateRenderer TEMPLATES = new TemplateRenderer(DeepsiteHome.find());
    private static final ContractRenderer ROLES = new ContractRenderer(DeepsiteHome.find(), TEMPLATES);
    private static final String PROOF = "slurm/verify-gpu-sharing.sh.j2";

    @Test
    void sharesFollowTheirCards() {
        var files = files(site("shard: 5", "mps: 100"), machines(4, 2));

        assertThat(files.get("/etc/slurm/gres.conf")).endsWith("""
                AutoDetect=off
                NodeName=one-1 Name=gpu Type=k20m File=/dev/nvidia0
                NodeName=one-1 Name=gpu Type=k20m File=/dev/nvidia1
                NodeName=one-1 Name=shard Count=5 File=/dev/nvidia0
                NodeName=one-1 Name=shard Count=5 File=/dev/nvidia1
                NodeName=two-1 Name=gpu Type=k20m File=/dev/nvidia0
                NodeName=two-1 Name=gpu Type=k20m File=/dev/nvidia1
                NodeName=two-1 Name=mps Count=100 File=/dev/nvidia0 Flags=all_sharing
                NodeName=two-1 Name=mps Count=100 File=/dev/nvidia1 Flags=all_sharing
                """);
        assertThat(files.get("/etc/slurm/slurm.conf"))
                .contains("\nGresTypes=gpu,mps,shard\n", "\nAccountingStorageTRES=gres/gpu,gres/mps,gres/shard\n")
                .contains(" Gres=gpu:k20m:2,shard:10 State", " Gres=gpu:k20m:2,mps:200 State");
    }

    @Test
    void withoutSharingNothingIsSaidOfShares() {
        var files = files(SlurmSite.LIMITED, SlurmSite.machines(2, true, cards(1)));

        assertThat(files.get("/etc/slurm/slurm.conf"))
                .contains(
                        "\nGresTypes=gpu\n# A container sees",
                        "\nAccountingStorageTRES=gres/gpu\nPriority",
                        " Gres=gpu:k20m:1 State");
        assertThat(files.get("/etc/slurm/gres.conf"))
                .endsWith("NodeName=node-1 Name=gpu Type=k20m File=/dev/nvidia0\n");
    }

    @Test
    void mpsHasItsScriptsOnEveryNodeBeforeSlurmNamesThem() {
        var site = site("shard: 5", "mps: 100");
        var stages = TestSites.stages(site, machines(4, 1));
        var mps = stages.stream()
                .filter(stage -> stage.role().equals("slurm_mps"))
                .findFirst()
                .orElseThrow();
        var controller = stages.stream()
                .filter(stage -> stage.role().equals("slurm_controller"))
                .findFirst()
                .orElseThrow();

        assertThat(mps.hosts()).containsExactlyInAnyOrder("one-1", "two-1");
        assertThat(controller.needs()).contains(mps.name());
        assertThat(files(site, machines(4, 1)).get("/etc/slurm/slurm.conf"))
                .contains("\nProlog=/usr/local/sbin/deepsite-slurm-mps\nEpilog=/usr/local/sbin/deepsite-slurm-mps\n");
    }

    @Test
    void shardsNeedNoScripts() {
        var site = site("shard: 5", "shard: 2");

        assertThat(TestSites.stages(site, machines(4, 1)))
                .noneMatch(stage -> stage.role().equals("slurm_mps"));
        assertThat(files(site, machines(4, 1)).get("/etc/slurm/slurm.conf")).doesNotContain("Prolog");
    }

    @Test
    void theJobsOfTheProofFillACard() {
        var script = proof(site("shard: 5", "mps: 40"), machines(4, 1)).orElseThrow();

        assertThat(script).contains("share 'one-1' 'shard' 0 2 3 0\n", "share 'two-1' 'mps' 0 20 20 50\n");
        Golden.assertSame(Path.of("src/test/resources/golden/scripts/slurm-gpu-sharing/verify-gpu-sharing.sh"), script);
    }

    @Test
    void otherCardsOfANodeAreTakenForTheTime() {
        assertThat(proof(site("shard: 2", "mps: 3"), machines(3, 2)).orElseThrow())
                .contains("share 'one-1' 'shard' 1 1 1 0\n", "share 'two-1' 'mps' 1 1 2 33\n");
    }

    @Test
    void nothingIsProvenWithoutAProcessorForEachJob() {
        var site = site("shard: 2", "shard: 2");

        assertThat(proof(site, machines(1, 1))).isEmpty();
        assertThat(proof(site, machines(2, 1))).isPresent();
        assertThat(proof(site, machines(2, 2))).isEmpty();
        assertThat(proof(site, machines(3, 0))).isEmpty();
    }

    @Test
    void sharesAreLimitedLikeCards() {
        var site = site("shard: 4", "mps: 100");
        var slurm = (Slurm) site.clusters().get(new Name("hpc"));

        assertThat(new SlurmAccounts(site, slurm).entries())
                .contains(
                        "account science Parent=root Fairshare=1 GrpTRES=gres/shard=6,gres/mps=150 MaxTRESPerJob=gres/shard=2,gres/mps=50")
                .contains("qos long Flags=DenyOnLimit Priority=0 MaxTRESPerUser=gres/gpu=1,gres/shard=3");
        assertThat(new SlurmLimitProofs(site, slurm).all().getFirst().get("probes"))
                .asString()
                .contains(
                        "limit=2 shards", "admitted=--gres=shard:2", "refused=--gres=shard:3", "refused=--gres=mps:51");
    }

    /** @param one what the first group shares its cards by */
    private static Site site(String one, String two) {
        return TestSites.load(
                        "site.yaml",
                        """
                        apiVersion: deepsite/v1
                        site: quickstart
                        provider: {lxd: {}}
                        machines:
                          head: {image: debian/12}
                          one: {count: 1, image: debian/12, cpus: 4, gpus: [{vendor: nvidia}]}
                          two: {count: 1, image: debian/12, cpus: 4, gpus: [{vendor: nvidia}]}
                        users:
                          alice: {uid: 2001}
                        clusters:
                          hpc:
                            kind: slurm
                            controller: head
                            compute: [one, two]
                            gpuSharing: {one: {%s}, two: {%s}}
                            %s
                        """.formatted(one, two, one.startsWith("shard") && two.equals("mps: 100") ? LIMITS : ""),
                        Map.of())
                .orFail();
    }

    private static final String LIMITS = """
            accounts: {science: {users: [alice], total: {shards: 6, mps: 150}, perJob: {shards: 2, mps: 50}}}
                qos: {long: {perUser: {gpus: 1, shards: 3}}}""";

    private static List<Machine> machines(int cpus, int cards) {
        return List.of(
                machine("head", "head", 1, 0),
                machine("one-1", "one", cpus, cards),
                machine("two-1", "two", cpus, cards));
    }

    private static Machine machine(String name, String group, int cpus, int cards) {
        return new Machine(
                name,
                new Name(group),
                Optional.empty(),
                "lxd",
                new Machine.Specs(cpus, 1024, true, cards(cards)),
                new Machine.Ssh(Optional.of("10.0.0." + name.length()), 22, "root", Optional.empty()));
    }

    private static List<Machine.Gpu> cards(int count) {
        var cards = new ArrayList<Machine.Gpu>();
        for (int i = 0; i < count; i++) {
            cards.add(new Machine.Gpu("nvidia", "K20m", "0000:17:00." + i, "/dev/nvidia" + i));
        }
        return cards;
    }

    private static Optional<String> proof(Site site, List<Machine> machines) {
        return TestSites.acceptance(site, machines).stream()
                .filter(acceptance -> acceptance.template().equals(PROOF))
                .map(Acceptance::variables)
                .map(variables -> TEMPLATES.render(PROOF, variables))
                .findFirst();
    }

    /** Texts of all files on the controller, by path. */
    private static Map<String, String> files(Site site, List<Machine> machines) {
        var head = machines.getFirst();
        var files = new TreeMap<String, String>();
        for (var stage : TestSites.stages(site, machines)) {
            var variables = stage.variables().get(head.name());
            if (variables != null) {
                var rendered = ROLES.render(stage.role(), head, new SiteScope(machines), variables);
                rendered.contract().items().stream()
                        .filter(Item.File.class::isInstance)
                        .map(Item.File.class::cast)
                        .forEach(file -> files.put(file.path(), rendered.texts().get(file.body())));
            }
        }
        return files;
    }
}
