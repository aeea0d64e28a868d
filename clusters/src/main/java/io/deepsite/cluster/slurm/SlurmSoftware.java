package io.deepsite.cluster.slurm;

import static io.deepsite.cluster.ClusterStages.in;
import static io.deepsite.cluster.ClusterStages.stage;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.SiteStages;
import io.deepsite.cluster.Stage;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Stages and proof of what the users of a cluster find on its machines. */
final class SlurmSoftware {
    private final Site site;
    private final Name cluster;
    private final Slurm slurm;
    private final Software software;

    SlurmSoftware(Site site, Name cluster, Slurm slurm) {
        this.site = site;
        this.cluster = cluster;
        this.slurm = slurm;
        this.software = slurm.software();
    }

    /** What slurmctld and slurmd load from it must be there before they start. */
    List<Stage> stages(List<Machine> machines) {
        var all = in(slurm.groups(), machines);
        var stages = new ArrayList<Stage>();
        if (hasSoftware()) {
            stages.add(stage(cluster, "slurm_software", all, _ -> software(), List.of()));
        }
        if (!software.containers().isEmpty()) {
            stages.add(stage(cluster, "user_containers", all, _ -> containers(), List.of(SiteStages.USERS)));
        }
        return stages;
    }

    /** Names of stages that the daemons wait for. */
    List<String> beforeDaemons() {
        return hasSoftware() ? List.of(cluster + ".slurm_software") : List.of();
    }

    /** MPI's ranks connect at ports of their own choice. */
    List<Flow> flows() {
        return software.usesPmix()
                ? slurm.compute().stream()
                        .flatMap(from -> slurm.compute().stream().map(to -> new Flow(from, to, "tcp", "1024-65535")))
                        .toList()
                : List.of();
    }

    Optional<Acceptance> acceptance(String controller, List<Machine> machines) {
        if (!software.usesPmix()
                && software.modules().isEmpty()
                && software.containers().isEmpty()
                && software.infiniband().isEmpty()) {
            return Optional.empty();
        }
        var variables = new TreeMap<String, Object>();
        variables.put("slurm_verify_user", SiteStages.VERIFY_USER);
        variables.put(
                "slurm_verify_nodes",
                SlurmKind.nodes(slurm, machines).stream().map(Machine::name).toList());
        variables.put("slurm_verify_mpi", software.usesPmix());
        variables.put("slurm_verify_modules", software.modules().orElse(""));
        variables.put("slurm_verify_module_path", software.modulePath());
        variables.put("slurm_verify_containers", software.containers());
        variables.put("slurm_verify_infiniband", software.infiniband().isPresent());
        return Optional.of(
                new Acceptance(cluster.value(), slurm.kind(), controller, "slurm/verify-software.sh.j2", variables));
    }

    private boolean hasSoftware() {
        return software.usesPmix()
                || software.modules().isPresent()
                || software.infiniband().isPresent()
                || !software.packages().isEmpty();
    }

    private Map<String, Object> software() {
        return Map.of(
                "slurm_software_mpi", software.usesPmix(),
                "slurm_software_modules", software.modules().orElse(""),
                "slurm_software_module_path", software.modulePath(),
                "slurm_software_infiniband", software.infiniband().isPresent(),
                "slurm_software_infiniband_devices",
                        software.infiniband().map(Software.Infiniband::devices).orElse(List.of()),
                "slurm_software_packages", software.packages());
    }

    private Map<String, Object> containers() {
        var users = new ArrayList<>(
                site.users().keySet().stream().map(Name::value).sorted().toList());
        users.add(SiteStages.VERIFY_USER);
        return Map.of(
                "user_containers_tools",
                software.containers(),
                "user_containers_users",
                users,
                "user_containers_udocker_engine",
                software.udocker().flatMap(Software.Udocker::engine).isPresent(),
                "user_containers_udocker_mode",
                software.udocker().map(Software.Udocker::mode).orElse("P1"),
                "user_containers_downloads",
                downloads());
    }

    private List<Map<String, Object>> downloads() {
        var downloads = new ArrayList<Map<String, Object>>();
        if (software.has("udocker")) {
            software.udocker().ifPresent(udocker -> {
                downloads.add(download("udocker", udocker.archive(), udocker.sha256(), "udocker/maincmd.py"));
                udocker.engine()
                        .ifPresent(engine -> downloads.add(
                                download("udocker-engine", engine.archive(), engine.sha256(), "lib/VERSION")));
            });
        }
        if (software.has("apptainer")) {
            software.apptainer()
                    .ifPresent(given -> downloads.add(download("apptainer", given.archive(), given.sha256(), "")));
        }
        return downloads;
    }

    /** @param holds a file that an archive must hold, in any folder; empty for a package */
    private static Map<String, Object> download(String name, String source, String sum, String holds) {
        return Map.of("name", name, "source", source, "sha256", sum, "holds", holds);
    }
}
