package io.deepsite.cluster.slurm;

import static io.deepsite.cluster.ClusterStages.in;
import static io.deepsite.cluster.ClusterStages.stage;
import static io.deepsite.cluster.ClusterStages.variables;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterCommand;
import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.Elastic;
import io.deepsite.cluster.PlanReview;
import io.deepsite.cluster.SiteStages;
import io.deepsite.cluster.Stage;
import io.deepsite.diag.Diagnostic;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A Slurm cluster: a controller with the whole configuration, nodes that fetch theirs from it, munge between them,
 * accounting in a database, a shared /home.
 */
public final class SlurmKind implements ClusterKind<Slurm> {
    private static final String CTLD_PORTS = "6817-6819";
    private static final String SLURMD_PORT = "6818";
    /** SrunPortRange of slurm.conf. */
    private static final String SRUN_PORTS = "60001-63000";

    private static final String NFS_PORT = "2049";

    @Override
    public String name() {
        return "slurm";
    }

    @Override
    public Class<Slurm> model() {
        return Slurm.class;
    }

    @Override
    public void check(CheckContext context, Name name, Slurm cluster) {
        new SlurmChecks(context, name, cluster).run();
    }

    @Override
    public Optional<Elastic> elastic(Slurm slurm) {
        return SlurmElastic.of(slurm);
    }

    @Override
    public Requirements requirements(Site site, Name name, Slurm slurm) {
        boolean nesting = !slurm.software().containers().isEmpty();
        var groups = new LinkedHashMap<Name, Requirements.Group>();
        slurm.groups()
                .forEach(group -> groups.put(
                        group,
                        new Requirements.Group(
                                nesting,
                                SlurmStorage.homes(site, name, slurm, group),
                                List.of(),
                                1,
                                Optional.empty())));
        var flows = new ArrayList<Flow>();
        for (var group : slurm.compute()) {
            flows.add(new Flow(group, slurm.controller(), "tcp", CTLD_PORTS));
            flows.add(new Flow(slurm.controller(), group, "tcp", SLURMD_PORT));
            flows.add(new Flow(group, slurm.controller(), "tcp", SRUN_PORTS));
            if (slurm.home().shared() && slurm.home().nfs().isEmpty()) {
                flows.add(new Flow(group, slurm.controller(), "tcp", NFS_PORT));
            }
            for (var other : slurm.compute()) {
                flows.add(new Flow(group, other, "tcp", SLURMD_PORT));
                flows.add(new Flow(group, other, "tcp", SRUN_PORTS));
            }
        }
        flows.addAll(new SlurmSoftware(site, name, slurm).flows());
        flows.addAll(new SlurmMonitoring(site, name, slurm).flows());
        flows.addAll(new SlurmGlue2(site, name, slurm).flows());
        return new Requirements(groups, flows).with(SlurmChecks.controllers(name, slurm));
    }

    @Override
    public List<Stage> stages(Site site, Name name, Slurm slurm, List<Machine> machines) {
        var head = controller(slurm, machines);
        var nodes = nodes(slurm, machines);
        var all = in(slurm.groups(), machines);
        var headMap = Map.<String, Object>of("name", head.name(), "address", address(head));
        var stages = new ArrayList<Stage>();
        if (slurm.home().shared()) {
            stages.addAll(slurm.home()
                    .nfs()
                    .map(export -> List.of(SlurmStorage.mounted(name, export, all)))
                    .orElseGet(() -> homes(name, head, all)));
        }
        stages.add(stage(name, "munge", all, _ -> Map.of(), List.of(SiteStages.HOSTS, SiteStages.USERS)));
        var software = new SlurmSoftware(site, name, slurm);
        stages.addAll(software.stages(machines));
        var beforeController = new ArrayList<>(List.of(name + ".munge"));
        var upgrade = new SlurmUpgrade(site, name, slurm);
        upgrade.ofController(machines).forEach(stage -> {
            stages.add(stage);
            beforeController.add(stage.name());
        });
        beforeController.addAll(software.beforeDaemons());
        new SlurmRest(name, slurm).before(machines).forEach(stage -> {
            stages.add(stage);
            beforeController.add(stage.name());
        });
        new SlurmGpuSharing(slurm).beforeController(name, machines).ifPresent(stage -> {
            stages.add(stage);
            beforeController.add(stage.name());
        });
        if (slurm.accounting()) {
            stages.add(stage(
                    name,
                    "slurm_accounting",
                    List.of(head),
                    _ -> Map.of(
                            "slurm_accounting_host",
                            headMap,
                            "slurm_accounting_before_22_05",
                            slurm.version().isEmpty()
                                    && SlurmConfiguration.imageBefore2205(site, slurm)
                                            .isPresent()),
                    upgrade.beforeAccounting()));
            beforeController.add(name + ".slurm_accounting");
            new SlurmPartitions(site, slurm).beforeController(name, head).ifPresent(stage -> {
                stages.add(stage);
                beforeController.add(stage.name());
            });
        }
        var elastic = new SlurmElastic(site, slurm);
        if (!slurm.elastic().isEmpty()) {
            stages.add(stage(name, "slurm_elastic", List.of(head), _ -> elastic.programs(), List.of(name + ".munge")));
            beforeController.add(name + ".slurm_elastic");
        }
        stages.add(stage(
                name,
                "slurm_controller",
                List.of(head),
                _ -> SlurmConfiguration.controller(name, elastic, head, machines),
                beforeController));
        if (slurm.accounting()) {
            stages.add(stage(
                    name,
                    "slurm_accounts",
                    List.of(head),
                    _ -> accounts(site, name, slurm),
                    SlurmDirectory.needs(site, List.of(name + ".slurm_controller"))));
        }
        if (!slurm.reservations().isEmpty()) {
            stages.add(stage(
                    name,
                    "slurm_reservations",
                    List.of(head),
                    _ -> Map.of("slurm_reservations_entries", SlurmReservations.entries(slurm, elastic.all(machines))),
                    List.of(name + (slurm.accounting() ? ".slurm_accounts" : ".slurm_controller"))));
        }
        var beforeNodes = new ArrayList<>(List.of(name + ".munge", name + ".slurm_controller"));
        upgrade.ofNodes(machines).forEach(stage -> {
            stages.add(stage);
            beforeNodes.add(stage.name());
        });
        stages.add(new Stage(
                name + ".slurm_node",
                "slurm_node",
                variables(nodes, node -> node(site, slurm, headMap, elastic.isElastic(node))),
                0,
                SlurmDirectory.needs(site, needs(site, beforeNodes)),
                false));
        stages.addAll(new SlurmMonitoring(site, name, slurm).stages(machines));
        stages.addAll(new SlurmRest(name, slurm).after(machines));
        stages.addAll(new SlurmGlue2(site, name, slurm).stages(machines));
        return upgrade.inOrder(stages);
    }

    @Override
    public List<Diagnostic> review(Site site, Name name, Slurm slurm, PlanReview plan) {
        return new SlurmUpgrade(site, name, slurm).review(plan);
    }

    @Override
    public List<Acceptance> acceptance(Site site, Name name, Slurm slurm, List<Machine> machines) {
        var variables = new TreeMap<String, Object>();
        // Elastic nodes may go while their work runs, and are not in the partition of acceptance jobs.
        var lasting = new SlurmElastic(site, slurm).lasting(machines);
        var nodes = nodes(slurm, lasting);
        variables.put("slurm_verify_user", SiteStages.VERIFY_USER);
        variables.put(
                "slurm_verify_nodes",
                nodes.stream().map(node -> SlurmConfiguration.node(slurm, node)).toList());
        variables.put(
                "slurm_verify_partitions",
                SlurmConfiguration.partitions(site, slurm, lasting).stream()
                        .filter(partition -> !List.of().equals(partition.get("nodes")))
                        .map(partition -> partition.get("name"))
                        .toList());
        variables.put("slurm_verify_accounting", slurm.accounting());
        variables.put("slurm_verify_shared_home", slurm.home().shared());
        variables.put("slurm_verify_default_memory_mib", SlurmConfiguration.mebibytes(slurm.defaultMemoryPerCpu()));
        variables.put("slurm_verify_max_memory_mib", SlurmConfiguration.mebibytes(slurm.maxMemoryPerCpu()));
        variables.put("slurm_verify_limits", slurm.accounting() ? new SlurmLimitProofs(site, slurm).all() : List.of());
        variables.put("slurm_verify_shares", slurm.accounting() ? SlurmConfiguration.shares(slurm) : List.of());
        variables.put("slurm_verify_preemption", slurm.accounting() ? SlurmConfiguration.preemption(slurm) : List.of());
        var controller = controller(slurm, machines);
        var head = controller.name();
        var proofs = new ArrayList<Acceptance>();
        proofs.add(new Acceptance(name.value(), slurm.kind(), head, "slurm/verify.sh.j2", variables));
        if (!slurm.reservations().isEmpty()) {
            proofs.add(new Acceptance(
                    name.value(),
                    slurm.kind(),
                    head,
                    "slurm/verify-reservations.sh.j2",
                    SlurmReservations.proof(site, slurm)));
        }
        if (slurm.accounting()) {
            new SlurmPartitions(site, slurm).acceptance(name, head).ifPresent(proofs::add);
        }
        new SlurmGpuSharing(slurm).acceptance(name, head, lasting).ifPresent(proofs::add);
        new SlurmSoftware(site, name, slurm).acceptance(head, lasting).ifPresent(proofs::add);
        proofs.addAll(new SlurmMonitoring(site, name, slurm).acceptance(lasting));
        proofs.addAll(new SlurmRest(name, slurm).acceptance(lasting));
        proofs.addAll(new SlurmGlue2(site, name, slurm).acceptance(lasting));
        SlurmStorage.acceptance(site, name, slurm, controller, nodes).ifPresent(proofs::add);
        SlurmDirectory.acceptance(site, name, slurm, head, nodes).ifPresent(proofs::add);
        return proofs;
    }

    @Override
    public CommandPrefix commandPrefix(Site site, Name name, Slurm slurm, List<Machine> machines, Optional<Name> user) {
        var who = user.map(Name::value)
                .or(() -> site.activeUsers().keySet().stream().findFirst().map(Name::value));
        var login = who.orElse(SiteStages.VERIFY_USER);
        var home = "/home/" + login;
        // srun passes its environment and folder to the job: root's would be wrong there.
        var argv = new ArrayList<>(List.of(
                "runuser",
                "-u",
                login,
                "--",
                "env",
                "--chdir=" + home,
                "HOME=" + home,
                "USER=" + login,
                "LOGNAME=" + login,
                "srun"));
        if (who.isEmpty()) {
            argv.add("--partition=" + SiteStages.VERIFY_USER);
        }
        return new CommandPrefix(controller(slurm, machines).name(), argv);
    }

    @Override
    public Map<String, Supplier<? extends ClusterCommand>> commands() {
        return Map.of("monitoring", MonitoringCommand::new, "token", TokenCommand::new, "usage", UsageCommand::new);
    }

    /** Jobs find the site's volumes mounted. */
    private static List<String> needs(Site site, List<String> own) {
        return site.volumes().isEmpty()
                ? own
                : Stream.concat(own.stream(), Stream.of(SiteStages.VOLUMES)).toList();
    }

    private static List<Stage> homes(Name name, Machine head, List<Machine> all) {
        if (all.stream().allMatch(Machine::container)) {
            return List.of(stage(name, "shared_home", all, _ -> Map.of("shared_home_by", "provider"), List.of()));
        }
        var others = all.stream().filter(machine -> !machine.equals(head)).toList();
        var export = Map.<String, Object>of(
                "shared_home_by",
                "nfs_server",
                "shared_home_clients",
                others.stream().map(SlurmKind::address).toList());
        var mount = Map.<String, Object>of("shared_home_by", "nfs_client", "shared_home_server", address(head));
        var exported = new Stage(
                name + ".exported_home", "shared_home", variables(List.of(head), _ -> export), 0, List.of(), false);
        return others.isEmpty()
                ? List.of()
                : List.of(exported, stage(name, "shared_home", others, _ -> mount, List.of(exported.name())));
    }

    private static Map<String, Object> node(Site site, Slurm slurm, Map<String, Object> head, boolean elastic) {
        var variables = new LinkedHashMap<String, Object>();
        variables.put("slurm_node_controller", head);
        variables.put("slurm_node_before_24", SlurmConfiguration.isBefore24(site, slurm));
        if (slurm.version()
                .flatMap(SlurmRelease::of)
                .filter(release -> release.isBefore("21.08"))
                .isPresent()) {
            variables.put("slurm_node_before_21_08", true);
        }
        variables.put("slurm_node_gpu_shares", new SlurmGpuSharing(slurm).ofGroups());
        if (elastic) {
            variables.put("slurm_node_elastic", true);
        }
        return variables;
    }

    private static Map<String, Object> accounts(Site site, Name name, Slurm slurm) {
        var accounts = new SlurmAccounts(site, slurm);
        return Map.of(
                "slurm_accounts_cluster",
                name.value(),
                "slurm_accounts_account",
                site.name().value(),
                "slurm_accounts_entries",
                accounts.entries(),
                "slurm_accounts_follows",
                !accounts.directoryGroups().isEmpty());
    }

    private static Machine controller(Slurm slurm, List<Machine> machines) {
        return in(slurm.controller(), machines).getFirst();
    }

    static List<Machine> nodes(Slurm slurm, List<Machine> machines) {
        return in(slurm.compute(), machines);
    }

    private static String address(Machine machine) {
        return SiteStages.address(machine);
    }
}
