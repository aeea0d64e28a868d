package io.deepsite.cluster.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Item;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Sites;
import io.deepsite.render.ContractRenderer;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The roles of a Slurm cluster, rendered with the variables of its stages. */
class SlurmContractsTest {
    private static final TemplateRenderer TEMPLATES = new TemplateRenderer(DeepsiteHome.find());
    private static final ContractRenderer ROLES = new ContractRenderer(DeepsiteHome.find(), TEMPLATES);
    private static final List<Machine.Gpu> TWO_CARDS = List.of(
            new Machine.Gpu("nvidia", "Tesla K20m", "0000:17:00.0", "/dev/nvidia0"),
            new Machine.Gpu("nvidia", "Tesla K20m", "0000:65:00.0", "/dev/nvidia1"));

    @Test
    void nodesAndPartitionsAreInTheControllersFile() {
        assertThat(files(SlurmSite.machines(2, true, TWO_CARDS), "head").get("/etc/slurm/slurm.conf"))
                .contains("""
                NodeName=node-1 NodeAddr=10.0.0.1 CPUs=1 RealMemory=972 Gres=gpu:tesla-k20m:2 State=UNKNOWN
                NodeName=node-2 NodeAddr=10.0.0.2 CPUs=1 RealMemory=972 State=UNKNOWN
                PartitionName=batch Nodes=node-1,node-2 Default=YES MaxTime=2-00:00:00 DefaultTime=0-01:00:00 State=UP
                PartitionName=short Nodes=node-1,node-2 MaxTime=0-00:10:00 MaxNodes=1 AllowGroups=physics State=UP
                """);
    }

    @Test
    void eachCardHasALineWithItsFile() {
        assertThat(files(SlurmSite.machines(2, true, TWO_CARDS), "head").get("/etc/slurm/gres.conf"))
                .endsWith("""
                AutoDetect=off
                NodeName=node-1 Name=gpu Type=tesla-k20m File=/dev/nvidia0
                NodeName=node-1 Name=gpu Type=tesla-k20m File=/dev/nvidia1
                """);
    }

    @Test
    void jobsAreConfinedWhereTheMachinesCanDoIt() {
        var machines = files(SlurmSite.machines(1, false), "head");
        var containers = files(SlurmSite.machines(1, true), "head");

        assertThat(machines.get("/etc/slurm/slurm.conf"))
                .contains("ProctrackType=proctrack/cgroup\n", "TaskPlugin=task/cgroup,task/affinity\n");
        assertThat(machines.get("/etc/slurm/cgroup.conf"))
                .contains("ConstrainCores=yes\n", "ConstrainRAMSpace=yes\n", "ConstrainDevices=yes\n");
        assertThat(containers.get("/etc/slurm/slurm.conf"))
                .contains("ProctrackType=proctrack/linuxproc\n", "TaskPlugin=task/none\n");
        assertThat(containers).doesNotContainKey("/etc/slurm/cgroup.conf");
    }

    @Test
    void aNodeHasNoConfigurationOfSlurm() {
        assertThat(files(SlurmSite.machines(1, true), "node-1").keySet())
                .contains("/etc/munge/munge.key")
                .noneMatch(path -> path.startsWith("/etc/slurm/"));
    }

    /** Debian 13's waits for a message that slurmd -D does not send. Files of Debian 12 are those of deepsite 0.1. */
    @Test
    void theUnitOfANodeWaitsForNoMessage() {
        var machines = SlurmSite.machines(1, true);
        var unit = "/etc/systemd/system/slurmd.service.d/deepsite.conf";

        assertThat(files(SlurmSite.site("debian/13"), machines, "node-1").get(unit))
                .contains("Type=simple\nExecStart=\nExecStart=/usr/sbin/slurmd -D -s --conf-server ");
        assertThat(files(machines, "node-1").get(unit))
                .contains("[Service]\nExecStart=\nExecStart=/usr/sbin/slurmd -D -s --conf-server ");
    }

    @Test
    void theProbeOfTheConfigurationKnowsHowItsReleaseShowsIt() {
        var machines = SlurmSite.machines(1, true);
        var probe = "/usr/local/sbin/deepsite-slurm-running-config";

        for (var image : List.of("debian/13", "ubuntu/24.04")) {
            assertThat(files(SlurmSite.site(image), machines, "head").get(probe))
                    .as(image)
                    .contains("(null)");
        }
        for (var image : List.of("debian/12", "ubuntu/22.04")) {
            assertThat(files(SlurmSite.site(image), machines, "head").get(probe))
                    .as(image)
                    .doesNotContain("(null)");
        }
    }

    /** The socket of the database knows a client by its user, and units older than 22.05 start slurmdbd as root. */
    @Test
    void slurmdbdRunsAsTheUserThatItsDatabaseKnows() {
        var machines = SlurmSite.machines(1, true);
        var unit = "/etc/systemd/system/slurmdbd.service.d/deepsite.conf";

        assertThat(files(SlurmSite.site("ubuntu/22.04"), machines, "head").get(unit))
                .contains("User=slurm\nGroup=slurm\nExecStartPre=+install -o slurm -g slurm ");
        for (var image : List.of("debian/12", "ubuntu/24.04")) {
            assertThat(files(SlurmSite.site(image), machines, "head").get(unit))
                    .as(image)
                    .contains("ExecStartPost=")
                    .doesNotContain("User=", "ExecStartPre=");
        }
    }

    /** Keys that came later add lines only where they are used: an upgrade replaces nothing. The digest is that of 0.1.0's file. */
    @Test
    void theProbeOfASiteThatZeroOneKnewStaysAsItWas() {
        assertThat(Digests.sha256(files(SlurmSite.machines(1, true), "head")
                        .get("/usr/local/sbin/deepsite-slurm-running-config")))
                .isEqualTo("f64e82eb48a31bfd352203afc27df25470ebb8697b37dec0b2b2c4e779809990");
    }

    @Test
    void everyRoleRendersWhereAddressesAreNotKnownYet() {
        var machines =
                SlurmSite.machines(2, true).stream().map(Sites::withoutAddress).toList();

        assertThat(files(machines, "node-1").get("/etc/systemd/system/slurmd.service.d/deepsite.conf"))
                .doesNotContain("10.0.0.");
    }

    @Test
    void acceptanceRendersForNodesWithAndWithoutCards() {
        var acceptance = TestSites.acceptance(SlurmSite.SITE, SlurmSite.machines(2, true, TWO_CARDS))
                .getFirst();

        var script = TEMPLATES.render(acceptance.template(), acceptance.variables());

        assertThat(script)
                .contains("one_gpu 'node-1' '/dev/nvidia0' '/dev/nvidia1' &")
                .doesNotContain("one_gpu 'node-2'");
    }

    @Test
    void accountsAndLimitsAreListedParentsFirst() {
        assertThat(files(SlurmSite.LIMITED, SlurmSite.machines(1, true), "head").get("/etc/slurm/deepsite-accounts"))
                .endsWith("""
                cluster hpc quickstart
                qos normal Flags=DenyOnLimit
                qos long Flags=DenyOnLimit Priority=10 Preempt=scavenger MaxTRESPerUser=mem=512 MaxJobsPerAccount=7 MaxTRESPerJob=gres/gpu=1 MaxWall=2-00:00:00
                qos scavenger Flags=DenyOnLimit Priority=0 GraceTime=0-00:00:30 GrpTRES=node=1
                account quickstart QOS=normal,long,scavenger DefaultQOS=normal
                account science Parent=root Fairshare=20 GrpTRES=cpu=3,mem=1024 GrpSubmitJobs=5
                account physics Parent=science Fairshare=5 QOS=normal,long,scavenger DefaultQOS=normal MaxWall=0-00:02:00
                user quickstart deepsite-verify
                user physics alice GrpTRES=cpu=2 MaxJobs=2
                user science alice
                user science bob
                """);
    }

    @Test
    void reservationsAreListedWithTheirNodes() {
        assertThat(files(SlurmSite.LIMITED, SlurmSite.machines(2, true), "head")
                        .get("/etc/slurm/deepsite-reservations"))
                .endsWith("""
                course start=1796112000 minutes=180 flags=WEEKLY nodes=node-1 users= accounts=physics
                work start=1796112000 minutes=1440 flags=MAINT,IGNORE_JOBS nodes=node-1,node-2 users=root accounts=
                """);
        assertThat(files(SlurmSite.machines(1, true), "head")).doesNotContainKey("/etc/slurm/deepsite-reservations");
    }

    @Test
    void withoutAccountsAllUsersShareOneAndNoLimitIsSet() {
        assertThat(files(SlurmSite.machines(1, true), "head").get("/etc/slurm/deepsite-accounts"))
                .endsWith("""
                cluster hpc quickstart
                account quickstart
                user quickstart alice
                user quickstart deepsite-verify
                """);
    }

    @Test
    void prioritiesPreemptionAndMemoryAreInTheControllersFile() {
        var limited =
                files(SlurmSite.LIMITED, SlurmSite.machines(1, true), "head").get("/etc/slurm/slurm.conf");

        assertThat(limited)
                .contains(
                        "DefMemPerCPU=256\n",
                        "MaxMemPerCPU=512\n",
                        "AccountingStorageEnforce=associations,limits,qos,safe\n",
                        "PriorityType=priority/multifactor\n",
                        "PriorityWeightAge=500\n",
                        "PriorityDecayHalfLife=0-12:00:00\n",
                        "PreemptType=preempt/qos\nPreemptMode=CANCEL\n",
                        "PartitionName=large Nodes=node-1 DefMemPerCPU=128 MaxMemPerCPU=1024 State=UP\n");
        assertThat(files(SlurmSite.machines(1, true), "head").get("/etc/slurm/slurm.conf"))
                .contains("AccountingStorageEnforce=associations,limits\n")
                .doesNotContain("MaxMemPerCPU", "Preempt", "PriorityType");
    }

    private static Map<String, String> files(List<Machine> machines, String host) {
        return files(SlurmSite.SITE, machines, host);
    }

    /** Texts of all files on a host, by path. */
    static Map<String, String> files(Site site, List<Machine> machines, String host) {
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
