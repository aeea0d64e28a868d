package io.deepsite.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.kubernetes.KubernetesSite;
import io.deepsite.cluster.mesos.MesosSite;
import io.deepsite.cluster.opennebula.OpenNebulaSite;
import io.deepsite.cluster.openstack.LxdHostSite;
import io.deepsite.cluster.openstack.OpenStackSite;
import io.deepsite.cluster.slurm.SlurmSite;
import io.deepsite.provider.Machine;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Site;
import io.deepsite.site.load.Golden;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Scripts as installed on hosts. Templates cannot be linted; {@code testbed/lint} checks these golden files as it does
 * every shell script of the repository.
 */
class RenderedScriptsTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/scripts");
    private static final TemplateRenderer TEMPLATES = new TemplateRenderer(DeepsiteHome.find());
    private static final Machine.Gpu CARD = new Machine.Gpu("nvidia", "Tesla K40m", "0000:02:00.0", "/dev/nvidia0");

    @Test
    void acceptanceOfSlurm() throws IOException {
        acceptance("slurm", SlurmSite.SITE, SlurmSite.machines(2, true, List.of(CARD)));
    }

    @Test
    void acceptanceOfSlurmWithLimits() throws IOException {
        acceptance("slurm-limits", SlurmSite.LIMITED, SlurmSite.machines(2, true));
    }

    @Test
    void acceptanceOfSlurmWithSoftware() throws IOException {
        acceptance("slurm-software", SlurmSite.SOFTWARE, SlurmSite.machines(2, true));
        for (var script : new HostScripts(GOLDEN, SlurmSite.SOFTWARE, SlurmSite.machines(2, true))
                .of("node-1")
                .entrySet()) {
            if (!script.getKey().contains("slurm-in-service")) {
                Golden.assertSame(
                        GOLDEN.resolve("slurm-software").resolve("node-1").resolve(script.getKey()), script.getValue());
            }
        }
    }

    @Test
    void acceptanceOfSlurmWithMonitoring() throws IOException {
        besideThatOfSlurm("slurm-monitoring", SlurmSite.site("debian/12", "monitoring: {}"));
    }

    @Test
    void acceptanceOfSlurmWithRest() throws IOException {
        besideThatOfSlurm("slurm-rest", SlurmSite.site("debian/12", "rest: {}"));
    }

    @Test
    void acceptanceOfSlurmInAGrid() throws IOException {
        besideThatOfSlurm("slurm-glue2", SlurmSite.site("debian/12", "glue2: {domain: LAB}"));
    }

    @Test
    void ofAKubernetesCluster() throws IOException {
        var site = KubernetesSite.site("1.20.2", 3, """
                endpoint: {virtualAddress: 10.64.0.250}
                network: {plugin: bridge}
                install: {binaries: "https://files.example.org/kubernetes"}
                access: [{group: physics, role: edit, namespace: physics}]
                acceptance: {cuda: ["registry.example.org/cuda:11", "registry.example.org/cuda:12"]}
                """);
        var machines = KubernetesSite.machines(3, 2, true);
        var withCards = List.of(
                machines.get(0),
                machines.get(1),
                machines.get(2),
                KubernetesSite.withGpus(machines.get(3), List.of(CARD, CARD)),
                machines.get(4));

        acceptance("kubernetes", site, withCards);
        for (var host : List.of("control-1", "worker-1")) {
            for (var script : new HostScripts(GOLDEN, site, withCards).of(host).entrySet()) {
                Golden.assertSame(
                        GOLDEN.resolve("kubernetes").resolve(host).resolve(script.getKey()), script.getValue());
            }
        }
    }

    @Test
    void acceptanceOfOpenNebula() throws IOException {
        acceptance("opennebula", OpenNebulaSite.site("7.0", """
                        passthrough:
                          - {groups: [kvm], vendor: "10de", class: "0302"}
                          - {groups: [gpu], addresses: ["0000:3b:00.0"]}
                        """), OpenNebulaSite.machines());
    }

    @Test
    void acceptanceOfMesos() throws IOException {
        acceptance("mesos", MesosSite.site(3, MesosSite.FRAMEWORKS + MesosSite.OIDC), MesosSite.machines(3));
    }

    @Test
    void acceptanceOfAHostOfLxd() throws IOException {
        acceptance(
                "lxd", LxdHostSite.site("{}"), LxdHostSite.machinesWithCards().subList(0, 1));
    }

    @Test
    void acceptanceOfOpenStackAnsible() {
        var acceptance = TestSites.acceptance(OpenStackSite.allInOne(), OpenStackSite.one())
                .getFirst();
        Golden.assertSame(
                GOLDEN.resolve("openstack").resolve("verify.sh"),
                TEMPLATES.render(acceptance.template(), acceptance.variables()));
    }

    /** The site's own proof of one key; that of the cluster is the same as without the key. */
    private static void besideThatOfSlurm(String kind, Site site) throws IOException {
        var machines = SlurmSite.machines(2, true);
        var proofs = TestSites.acceptance(site, machines);

        assertThat(proofs).hasSize(2);
        assertThat(proofs.getFirst())
                .isEqualTo(TestSites.acceptance(SlurmSite.SITE, machines).getFirst());
        assertSame(kind, proofs.getLast());
    }

    private static void acceptance(String kind, Site site, List<Machine> machines) throws IOException {
        for (var acceptance : TestSites.acceptance(site, machines)) {
            assertSame(kind, acceptance);
        }
    }

    private static void assertSame(String kind, Acceptance acceptance) throws IOException {
        var name = Path.of(acceptance.template().replaceAll("\\.j2$", "")).getFileName();
        Golden.assertSame(
                GOLDEN.resolve(kind).resolve(name), TEMPLATES.render(acceptance.template(), acceptance.variables()));
    }
}
