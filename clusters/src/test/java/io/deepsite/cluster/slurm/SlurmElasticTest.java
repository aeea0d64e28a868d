package io.deepsite.cluster.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.contract.Item;
import io.deepsite.provider.Machine;
import io.deepsite.render.ContractRenderer;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What Slurm is told of nodes that exist only while jobs need them. */
class SlurmElasticTest {
    private static final TemplateRenderer TEMPLATES = new TemplateRenderer(DeepsiteHome.find());
    private static final ContractRenderer ROLES = new ContractRenderer(DeepsiteHome.find(), TEMPLATES);
    /** With all that has a proof of its own. */
    private static final Site EVERYTHING =
            TestSites.load("site.yaml", """
                    apiVersion: deepsite/v1
                    site: quickstart
                    provider: {lxd: {}}
                    machines:
                      head: {image: debian/12, memory: 2GiB}
                      node: {count: 1, image: debian/12, memory: 1GiB}
                    volumes:
                      data: {mount: /data, groups: [head, node]}
                    clusters:
                      hpc:
                        kind: slurm
                        controller: head
                        compute: [node]
                        elastic: {node: {max: 3}}
                        software: {mpi: openmpi}
                        monitoring: {}
                        rest: {}
                        reservations:
                          work: {start: 2026-12-01T08:00Z, duration: 4h, maintenance: true}
                    """, Map.of()).orFail();

    private static final String UNIT = "/etc/systemd/system/slurmd.service.d/deepsite.conf";

    @Test
    void slurmKnowsEveryNodeThatThereMayBe() {
        assertThat(files(SlurmSite.machines(1, true), "head").get("/etc/slurm/slurm.conf"))
                .contains(
                        "SlurmctldParameters=enable_configless,cloud_reg_addrs,idle_on_node_suspend\nSlurmUser=slurm\n")
                .endsWith("""
                NodeName=node-1 NodeAddr=10.0.0.1 CPUs=1 RealMemory=972 State=UNKNOWN
                NodeName=node-2 CPUs=1 RealMemory=972 Weight=1000 State=CLOUD
                NodeName=node-3 CPUs=1 RealMemory=972 Weight=1000 State=CLOUD
                PartitionName=batch Nodes=node-1,node-2,node-3 Default=YES State=UP
                # Elastic nodes: Slurm runs the programs as its user. They only note what it wants; deepsite reads that, and makes and removes machines.
                ResumeProgram=/usr/local/sbin/deepsite-slurm-resume
                SuspendProgram=/usr/local/sbin/deepsite-slurm-suspend
                ResumeFailProgram=/usr/local/sbin/deepsite-slurm-suspend
                SuspendTime=INFINITE
                SuspendTimeout=30
                ResumeTimeout=1800
                PrivateData=cloud
                TreeWidth=65533
                PartitionName=deepsite-elastic-node Nodes=node-2,node-3 Hidden=YES AllowGroups=deepsite-verify SuspendTime=300 State=UP
                # Acceptance jobs reach every node that is always there, whatever the limits above; they go first, ask little and end soon.
                PartitionName=deepsite-verify Nodes=node-1 Hidden=YES AllowGroups=deepsite-verify MaxTime=10 PriorityTier=1000 State=UP
                """);
    }

    /** Else slurmctld would restart whenever a job gets a node. */
    @Test
    void theConfigurationIsTheSameWhicheverNodesExist() {
        var none = files(SlurmSite.machines(1, true), "head");
        var all = files(SlurmSite.machines(3, true), "head");

        assertThat(all).isEqualTo(none);
    }

    @Test
    void onlyAnElasticNodeSaysThatItHasBooted() {
        assertThat(files(SlurmSite.machines(2, true), "node-2").get(UNIT)).contains("first=-b");
        assertThat(files(SlurmSite.machines(2, true), "node-1").get(UNIT)).doesNotContain("first=-b");
    }

    @Test
    void acceptanceNeedsNoElasticNode() {
        var acceptance = TestSites.acceptance(SlurmSite.ELASTIC, SlurmSite.machines(3, true))
                .getFirst();

        assertThat(TEMPLATES.render(acceptance.template(), acceptance.variables()))
                .contains("nodes='node-1'\n");
    }

    /** They are not in its partition. */
    @Test
    void noProofOfASiteNamesAnElasticNode() {
        var none = TestSites.acceptance(EVERYTHING, SlurmSite.machines(1, true));
        var all = TestSites.acceptance(EVERYTHING, SlurmSite.machines(3, true));

        assertThat(all).hasSize(6).isEqualTo(none);
    }

    @Test
    void aReservationTakesEveryNodeThatThereMayBe() {
        assertThat(files(EVERYTHING, SlurmSite.machines(1, true), "head").get("/etc/slurm/deepsite-reservations"))
                .contains(" nodes=node-1,node-2,node-3 ")
                .isEqualTo(
                        files(EVERYTHING, SlurmSite.machines(2, true), "head").get("/etc/slurm/deepsite-reservations"));
    }

    @Test
    void theEngineIsToldWhichGroupsAndWhomToAsk() {
        var slurm = (Slurm) SlurmSite.ELASTIC.clusters().values().iterator().next();

        assertThat(SlurmElastic.of(slurm)).hasValueSatisfying(elastic -> {
            assertThat(elastic.most().toString()).isEqualTo("{node=3}");
            assertThat(elastic.controller().value()).isEqualTo("head");
        });
    }

    @Test
    void itsProgramTriesANodeOfEachGroup() {
        assertThat(files(SlurmSite.machines(1, true), "head").get("/usr/local/sbin/deepsite-slurm-elastic-verify"))
                .contains("\nuser='deepsite-verify'\n")
                .endsWith("""
                if [ "$make" = make ]; then
                  one 'node' node-2 node-3 &
                  wait
                else
                  check passed - "$started" "node: deepsite follows; $(up node-2 node-3 | wc -l) of 2 nodes are up"
                fi
                """);
    }

    /** Files of sites without elastic nodes are those of deepsite 0.1. */
    @Test
    void withoutElasticNodesNothingOfItIsThere() {
        var conf = TestSites.stages(SlurmSite.SITE, SlurmSite.machines(2, true)).stream()
                .filter(stage -> stage.role().equals("slurm_elastic"));

        assertThat(conf).isEmpty();
    }

    /** Texts of all files on a host, by path. */
    private static Map<String, String> files(List<Machine> machines, String host) {
        return files(SlurmSite.ELASTIC, machines, host);
    }

    private static Map<String, String> files(Site site, List<Machine> machines, String host) {
        var machine = machines.stream()
                .filter(each -> each.name().equals(host))
                .findFirst()
                .orElseThrow();
        var scope = new SiteScope(machines);
        var files = new TreeMap<String, String>();
        for (var stage : TestSites.stages(site, machines)) {
            if (stage.hosts().contains(host)) {
                var rendered = ROLES.render(
                        stage.role(), machine, scope, stage.variables().get(host));
                rendered.contract().items().stream()
                        .filter(Item.File.class::isInstance)
                        .map(Item.File.class::cast)
                        .forEach(file -> files.put(file.path(), rendered.texts().get(file.body())));
            }
        }
        return files;
    }
}
