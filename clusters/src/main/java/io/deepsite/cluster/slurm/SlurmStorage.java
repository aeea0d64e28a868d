package io.deepsite.cluster.slurm;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterStages;
import io.deepsite.cluster.SiteStages;
import io.deepsite.cluster.Stage;
import io.deepsite.diag.Code;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements.SharedVolume;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Homes, the site's volumes and scratch space of jobs, as a Slurm cluster uses and proves them. */
final class SlurmStorage {
    private static final String HOME = "/home";

    /** Folders that Slurm would give each job an empty one of, with the scratch space inside. */
    private static final List<String> PRIVATE = List.of("/tmp", "/dev/shm");

    private SlurmStorage() {}

    /** The volume with the homes, if the machines of this group mount one: all of them, or the one that serves it. */
    static List<SharedVolume> homes(Site site, Name cluster, Slurm slurm, Name group) {
        var home = slurm.home();
        boolean mounts = site.provider().sharesVolumes() || (isDisk(site, slurm) && group.equals(slurm.controller()));
        return home.shared() && home.nfs().isEmpty() && mounts
                ? List.of(new SharedVolume(volume(cluster).value(), HOME, home.size(), home.keep()))
                : List.of();
    }

    /** Whether the controller serves the homes from a disk of their own. */
    private static boolean isDisk(Site site, Slurm slurm) {
        return site.provider().attachesVolumes() && slurm.home().size().isPresent();
    }

    private static Name volume(Name cluster) {
        return new Name(cluster + "-home");
    }

    /** Homes on an export that exists already. */
    static Stage mounted(Name cluster, String export, List<Machine> machines) {
        int path = export.indexOf(":/") + 1;
        var mount = Map.<String, Object>of(
                "shared_home_by", "nfs_client",
                "shared_home_server", export.substring(0, path - 1),
                "shared_home_path", export.substring(path));
        return ClusterStages.stage(cluster, "shared_home", machines, _ -> mount, List.of());
    }

    static void check(CheckContext context, Name cluster, Slurm slurm, String path) {
        var places = context.places();
        var findings = context.findings();
        var provider = context.site().provider();
        boolean made = provider.sharesVolumes() || isDisk(context.site(), slurm);
        String why = "/home is a folder of the controller here, shared by NFS: as large as that machine's disk";
        if (!made && !provider.attachesVolumes()) {
            findings.noEffect(places, path + ".home.size", why + ".");
        }
        if (!made) {
            findings.noEffect(
                    places,
                    path + ".home.keep",
                    why + ", and gone with it.",
                    provider.attachesVolumes()
                            ? "Add \"size: 100GiB\", so that the provider makes a volume; or remove the key."
                            : "Remove the key.");
        } else if (slurm.home().shared() && context.site().volumes().containsKey(volume(cluster))) {
            findings.fault(
                    Code.RESERVED_NAME,
                    places.ofKey("volumes." + volume(cluster)),
                    "The volume with the homes of the cluster " + cluster + " has this name.",
                    "Choose another.");
        }
        if (slurm.home().nfs().isPresent()) {
            slurm.groups().stream()
                    .filter(context.site().provider()::containers)
                    .findFirst()
                    .ifPresent(group -> findings.faultOnce(
                            Code.CONTAINER_WITHOUT_NFS,
                            places.of(path + ".home.nfs"),
                            "The machines of " + group + " are containers, whose kernel does not let them mount NFS.",
                            "Leave out nfs, so that the provider makes a volume."));
        }
        if (!slurm.home().shared()) {
            String own = "The homes are on the machines' own disks.";
            findings.noEffect(places, path + ".home.keep", own);
            if (isDisk(context.site(), slurm)) {
                findings.noEffect(places, path + ".home.size", own);
            }
        }
        scratch(context, slurm, path + ".scratch");
    }

    private static void scratch(CheckContext context, Slurm slurm, String path) {
        var places = context.places();
        var findings = context.findings();
        var scratch = slurm.scratch();
        if (!scratch.perJob()) {
            findings.noEffect(places, path + ".folder", "Jobs have no scratch space of their own.");
        } else if (PRIVATE.stream().anyMatch(folder -> (scratch.folder() + "/").startsWith(folder + "/"))) {
            findings.faultOnce(
                    Code.MOUNT_TAKEN,
                    places.of(path + ".folder"),
                    "Jobs see an empty folder of their own in place of " + String.join(", ", PRIVATE) + ".",
                    "Name a folder outside of them.");
        }
        if (scratch.perJob()) {
            slurm.compute().stream()
                    .filter(context.site().provider()::containers)
                    .findFirst()
                    .ifPresent(group -> findings.faultOnce(
                            Code.CONTAINER_SCRATCH,
                            places.of(path + ".perJob"),
                            "The machines of " + group
                                    + " are containers. Slurm mounts the namespace of a job there, and newer kernels (6.18)"
                                    + " refuse that to all jobs that start on the wrong processor.",
                            "Make " + group + " virtual machines, or leave perJob out."));
        }
    }

    /** What slurm.conf and job_container.conf say of scratch space. */
    static Map<String, Object> variables(Slurm slurm) {
        return Map.of(
                "slurm_controller_scratch",
                slurm.scratch().perJob() ? slurm.scratch().folder() : "");
    }

    /** Empty where the cluster has nothing of it. */
    static Optional<Acceptance> acceptance(Site site, Name name, Slurm slurm, Machine head, List<Machine> nodes) {
        var mounts = site.volumes().entrySet().stream()
                .filter(entry -> !on(entry.getValue().groups(), nodes).isEmpty())
                .map(entry -> Map.<String, Object>of(
                        "name", entry.getKey().value(),
                        "path", entry.getValue().mount(),
                        "nodes", on(entry.getValue().groups(), nodes),
                        "here", entry.getValue().groups().contains(head.group()),
                        "foreign", entry.getValue().nfs().isPresent()))
                .toList();
        if (mounts.isEmpty() && !slurm.scratch().perJob()) {
            return Optional.empty();
        }
        var variables = new TreeMap<String, Object>();
        variables.put("slurm_verify_storage_user", SiteStages.VERIFY_USER);
        variables.put("slurm_verify_storage_volumes", mounts);
        variables.put(
                "slurm_verify_storage_nodes", nodes.stream().map(Machine::name).toList());
        variables.put(
                "slurm_verify_storage_scratch",
                slurm.scratch().perJob() ? slurm.scratch().folder() : "");
        return Optional.of(
                new Acceptance(name.value(), slurm.kind(), head.name(), "slurm/verify-storage.sh.j2", variables));
    }

    private static List<String> on(List<Name> groups, List<Machine> nodes) {
        var wanted = Set.copyOf(groups);
        return nodes.stream()
                .filter(node -> wanted.contains(node.group()))
                .map(Machine::name)
                .toList();
    }
}
