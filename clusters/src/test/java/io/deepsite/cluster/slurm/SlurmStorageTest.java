package io.deepsite.cluster.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.cluster.Stage;
import io.deepsite.contract.Item;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.provider.Requirements.SharedVolume;
import io.deepsite.render.ContractRenderer;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Volumes of a site, homes that are kept and scratch space of jobs, as a Slurm cluster's stages have them. */
class SlurmStorageTest {
    private static final TemplateRenderer TEMPLATES = new TemplateRenderer(DeepsiteHome.find());
    private static final ContractRenderer ROLES = new ContractRenderer(DeepsiteHome.find(), TEMPLATES);
    private static final List<Machine> MACHINES = SlurmSite.machines(2, true);

    private static final String VOLUMES = """
            volumes:
              data: {mount: /data, groups: [head, node], size: 10GiB, group: physics, keep: true}
              fast: {mount: /fast, groups: [node], mode: "0755", owner: alice}
            """;
    private static final String VIRTUAL_MACHINES = "lxd: {groups: {node: {virtualMachines: true}}}";
    private static final String SERVED = """
            volumes:
              data: {mount: /data, groups: [node], server: head}
              old: {mount: /old, groups: [head, node], nfs: "filer.example.org:/export/old"}
            """;

    @Test
    void theProviderMakesVolumesForTheirGroups() {
        var asked = TestSites.requirements(site("lxd", "debian/12", VOLUMES, "home: {keep: true}"));

        var data = new SharedVolume("data", "/data", Optional.of(Size.parse("10GiB")), true);
        var home = new SharedVolume("hpc-home", "/home", Optional.empty(), true);
        assertThat(asked.of(new Name("head")).volumes()).containsExactlyInAnyOrder(data, home);
        assertThat(asked.of(new Name("node")).volumes())
                .containsExactlyInAnyOrder(data, home, new SharedVolume("fast", "/fast", Optional.empty(), false));
    }

    @Test
    void machinesGetTheFolderWithItsOwnerAndPermissions() {
        var site = site("lxd", "debian/12", VOLUMES, "");

        assertThat(items(site, "node-1", "site_volumes"))
                .extracting(Item::id)
                .containsExactly(
                        "directory:/data", "directory:/fast", "probe:data-is-a-mount", "probe:fast-is-a-mount");
        assertThat(directory(site, "/data"))
                .extracting(Item.Directory::owner, Item.Directory::group, Item.Directory::mode)
                .containsExactly("root", "physics", "2770");
        assertThat(directory(site, "/fast"))
                .extracting(Item.Directory::owner, Item.Directory::group, Item.Directory::mode)
                .containsExactly("alice", "root", "0755");
    }

    @Test
    void jobsStartWhenTheVolumesAreMounted() {
        assertThat(stage(site("lxd", "debian/12", VOLUMES, ""), "hpc.slurm_node")
                        .needs())
                .contains("site.volumes");
        assertThat(stage(site("lxd", "debian/12", "", ""), "hpc.slurm_node").needs())
                .doesNotContain("site.volumes");
    }

    @Test
    void oneMachineServesAFolderWhereTheProviderSharesNone() {
        var site = site("openstack", "debian/12", SERVED, "");

        assertThat(TestSites.requirements(site).of(new Name("node")).volumes()).isEmpty();
        assertThat(TestSites.requirements(site).flows())
                .contains(new Flow(new Name("node"), new Name("head"), "tcp", "2049"));
        assertThat(files(site, "head").get("/etc/exports.d/deepsite-volumes.exports"))
                .contains("\n/data 10.0.0.1(rw,sync,no_subtree_check,no_root_squash)"
                        + " 10.0.0.2(rw,sync,no_subtree_check,no_root_squash)\n");
        assertThat(files(site, "head").get("/etc/nfs.conf.d/deepsite-volumes.conf"))
                .contains("[nfsd]\n", "vers3=n\n");
        assertThat(items(site, "head", "site_volumes"))
                .extracting(Item::id)
                .contains("mount:/old", "directory:/data", "service:nfs-server.service", "probe:data-is-exported");
        assertThat(mounts(site, "node-2", "site_volumes"))
                .containsExactly("10.0.0.100:/data /data", "filer.example.org:/export/old /old");
        assertThat(stage(site, "site.volumes").needs()).contains("site.served_volumes");
    }

    @Test
    void oneMachineServesDisksThatTheProviderAttaches() {
        var site = site(
                "openstack",
                "debian/12",
                "volumes: {data: {mount: /data, groups: [node], server: head, size: 100GiB, keep: true}}\n",
                "home: {size: 50GiB, keep: true}");

        assertThat(TestSites.requirements(site).of(new Name("head")).volumes())
                .containsExactlyInAnyOrder(
                        new SharedVolume("data", "/data", Optional.of(Size.parse("100GiB")), true),
                        new SharedVolume("hpc-home", "/home", Optional.of(Size.parse("50GiB")), true));
        assertThat(TestSites.requirements(site).of(new Name("node")).volumes()).isEmpty();
        assertThat(stage(site, "site.disks").hosts()).containsExactly("head");
        assertThat(TestSites.stages(site, SlurmSite.machines(2, false)))
                .filteredOn(stage -> stage.name().equals("hpc.exported_home"))
                .flatExtracting(Stage::needs)
                .contains("site.disks");
        assertThat(stage(site, "site.users").needs()).contains("site.disks");
        assertThat(stage(site, "site.served_volumes").needs()).contains("site.disks");
        assertThat(items(site, "head", "site_disks"))
                .extracting(Item::id)
                .containsExactly(
                        "package:e2fsprogs",
                        "file:/usr/local/sbin/deepsite-disks",
                        "mount:/data",
                        "mount:/home",
                        "probe:data-is-on-its-disk",
                        "probe:hpc-home-is-on-its-disk");
        assertThat(mounts(site, "head", "site_disks"))
                .containsExactly("LABEL=ds-b46e0c337595 /data", "LABEL=ds-05185da9c8c2 /home");
        assertThat(files(site, "head").get("/usr/local/sbin/deepsite-disks"))
                .contains("\ndata ds-b46e0c337595 102400 /data\nhpc-home ds-05185da9c8c2 51200 /home\nVOLUMES\n");
    }

    @Test
    void whatNoOtherMachineMountsIsNotServed() {
        var site = site(
                "openstack",
                "debian/12",
                "volumes: {data: {mount: /data, groups: [head], server: head, size: 1GiB}}\n",
                "");

        assertThat(items(site, "head", "site_volumes")).extracting(Item::id).containsExactly("directory:/data");
    }

    @Test
    void aFolderIsNoDisk() {
        var site = site("openstack", "debian/12", SERVED, "");

        assertThat(TestSites.stages(site, MACHINES)).extracting(Stage::name).doesNotContain("site.disks");
    }

    @Test
    void homesMayBeAnExportThatExists() {
        var site = site("openstack", "debian/12", "", "home: {nfs: \"filer.example.org:/export/home\"}");

        assertThat(stage(site, "hpc.shared_home").hosts()).containsExactly("head", "node-1", "node-2");
        assertThat(items(site, "head", "shared_home"))
                .extracting(Item::id)
                .containsExactly("package:nfs-common", "mount:/home", "probe:home-is-a-mount");
        assertThat(mounts(site, "head", "shared_home")).containsExactly("filer.example.org:/export/home /home");
        assertThat(TestSites.requirements(site).of(new Name("head")).volumes()).isEmpty();
        assertThat(TestSites.requirements(site).flows())
                .noneMatch(flow -> flow.port().equals("2049"));
    }

    @Test
    void jobsHaveScratchSpaceOfTheirOwn() {
        var old = files(site("openstack", "debian/12", "", "scratch: {perJob: true}"), "head");
        var later = files(site("openstack", "debian/13", "", "scratch: {perJob: true, folder: /local/jobs}"), "head");

        assertThat(old.get("/etc/slurm/slurm.conf"))
                .contains("JobContainerType=job_container/tmpfs\nPrologFlags=Contain\n");
        assertThat(old.get("/etc/slurm/job_container.conf"))
                .endsWith("\nAutoBasePath=true\nBasePath=/var/spool/slurm-scratch\n");
        assertThat(later.get("/etc/slurm/job_container.conf")).endsWith("\nAutoBasePath=true\nBasePath=/local/jobs\n");
        assertThat(files(site("lxd", "debian/12", "", ""), "head"))
                .doesNotContainKey("/etc/slurm/job_container.conf")
                .hasEntrySatisfying(
                        "/etc/slurm/slurm.conf",
                        text -> assertThat(text).doesNotContain("JobContainer", "PrologFlags"));
    }

    @Test
    void theProofIsAScriptOfItsOwn() {
        var site = site(VIRTUAL_MACHINES, "debian/12", VOLUMES, "scratch: {perJob: true}");

        assertThat(TestSites.acceptance(site("lxd", "debian/12", "", ""), MACHINES))
                .hasSize(1);
        var proofs = TestSites.acceptance(site, MACHINES);
        assertThat(proofs).hasSize(2);
        golden("slurm-storage", site);
        golden("slurm-storage-nfs", site("openstack", "debian/12", SERVED, ""));
    }

    private static void golden(String name, Site site) {
        var proof = TestSites.acceptance(site, MACHINES).getLast();
        Golden.assertSame(
                Path.of("src/test/resources/golden/scripts").resolve(name).resolve("verify-storage.sh"),
                TEMPLATES.render(proof.template(), proof.variables()));
    }

    private static Site site(String provider, String image, String volumes, String slurm) {
        return TestSites.load(
                        "site.yaml",
                        """
                        apiVersion: deepsite/v1
                        site: quickstart
                        provider:
                          %s
                        machines:
                          head: {image: %2$s}
                          node: {count: 2, image: %2$s}
                        users:
                          alice: {uid: 2001, groups: [physics]}
                        clusters:
                          hpc:
                            kind: slurm
                            controller: head
                            compute: [node]
                            accounting: false
                            %3$s
                        """.formatted(provider.contains(":") ? provider : provider + ": {}", image, slurm) + volumes,
                        Map.of())
                .orFail();
    }

    private static Stage stage(Site site, String name) {
        return TestSites.stages(site, MACHINES).stream()
                .filter(stage -> stage.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<Item> items(Site site, String host, String role) {
        var machine = MACHINES.stream()
                .filter(each -> each.name().equals(host))
                .findFirst()
                .orElseThrow();
        return TestSites.stages(site, MACHINES).stream()
                .filter(stage -> stage.role().equals(role) && stage.hosts().contains(host))
                .flatMap(stage -> ROLES
                        .render(
                                role,
                                machine,
                                new SiteScope(MACHINES),
                                stage.variables().getOrDefault(host, Map.of()))
                        .contract()
                        .items()
                        .stream())
                .toList();
    }

    private static Item.Directory directory(Site site, String path) {
        return items(site, "node-1", "site_volumes").stream()
                .filter(Item.Directory.class::isInstance)
                .map(Item.Directory.class::cast)
                .filter(directory -> directory.path().equals(path))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> mounts(Site site, String host, String role) {
        return items(site, host, role).stream()
                .filter(Item.Mount.class::isInstance)
                .map(Item.Mount.class::cast)
                .map(mount -> mount.source() + " " + mount.path())
                .toList();
    }

    private static Map<String, String> files(Site site, String host) {
        return SlurmContractsTest.files(site, MACHINES, host);
    }
}
