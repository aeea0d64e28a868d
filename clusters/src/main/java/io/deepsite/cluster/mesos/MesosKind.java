package io.deepsite.cluster.mesos;

import static io.deepsite.cluster.ClusterStages.stage;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.SiteStages;
import io.deepsite.cluster.Stage;
import io.deepsite.cluster.WorkOptions;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import io.deepsite.site.load.CheckContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** A Mesos cluster: ZooKeeper, masters and frameworks on one group, agents on others. */
public final class MesosKind implements ClusterKind<Mesos> {
    private static final Size MASTER_MEMORY = Size.parse("512MiB");
    private static final String ZOOKEEPER_CLIENTS = "2181";
    private static final List<String> ZOOKEEPER_SERVERS = List.of("2888", "3888");
    private static final String MASTER_PORT = Integer.toString(MesosLayout.MASTER_PORT);
    private static final String AGENT_PORT = Integer.toString(MesosLayout.AGENT_PORT);
    /** The ports that agents offer to tasks on their hosts. */
    private static final String TASK_PORTS = "31000-32000";

    private static final String MARATHON_PORT = Integer.toString(MesosLayout.MARATHON_PORT);
    private static final String CHRONOS_PORT = Integer.toString(MesosLayout.CHRONOS_PORT);
    /** LIBPROCESS_PORT of each framework's driver, which the leading master calls back. */
    private static final String DRIVER_PORTS = "15101-15102";

    @Override
    public String name() {
        return "mesos";
    }

    @Override
    public Class<Mesos> model() {
        return Mesos.class;
    }

    @Override
    public void check(CheckContext context, Name name, Mesos cluster) {
        new MesosChecks(context, name, cluster).run();
    }

    @Override
    public Requirements requirements(Site site, Name name, Mesos mesos) {
        var groups = new LinkedHashMap<Name, Requirements.Group>();
        var software = new MesosSoftware(mesos);
        mesos.agents()
                .forEach(group -> groups.put(
                        group,
                        new Requirements.Group(
                                mesos.docker() || !software.agentImage().isEmpty(),
                                List.of(),
                                List.of(),
                                1,
                                Optional.empty())));
        groups.put(
                mesos.masters(),
                new Requirements.Group(
                        software.hasImagesOnMasters(), List.of(), List.of(), 1, Optional.of(MASTER_MEMORY)));
        var flows = new ArrayList<Flow>();
        var masters = mesos.masters();
        ZOOKEEPER_SERVERS.forEach(port -> flows.add(new Flow(masters, masters, "tcp", port)));
        for (var port : List.of(ZOOKEEPER_CLIENTS, MASTER_PORT, MARATHON_PORT, CHRONOS_PORT, DRIVER_PORTS)) {
            flows.add(new Flow(masters, masters, "tcp", port));
        }
        for (var agent : mesos.agents()) {
            flows.add(new Flow(agent, masters, "tcp", ZOOKEEPER_CLIENTS));
            flows.add(new Flow(agent, masters, "tcp", MASTER_PORT));
            flows.add(new Flow(masters, agent, "tcp", AGENT_PORT));
            flows.add(new Flow(masters, agent, "tcp", TASK_PORTS));
        }
        for (var balancer : mesos.loadBalancers()) {
            flows.add(new Flow(balancer, masters, "tcp", MARATHON_PORT));
            flows.add(new Flow(masters, balancer, "tcp", servicePorts(mesos)));
            for (var agent : mesos.agents()) {
                flows.add(new Flow(balancer, agent, "tcp", TASK_PORTS));
            }
        }
        mesos.oidc().ifPresent(oidc -> flows.addAll(gatewayFlows(mesos, oidc)));
        // Load balancers always need Marathon, and masters each other.
        return new Requirements(groups, flows.stream().distinct().toList()).with(MesosChecks.masters(name, mesos));
    }

    private static List<Flow> gatewayFlows(Mesos mesos, MesosOidc oidc) {
        var flows = new ArrayList<Flow>();
        for (var gateway : mesos.doors()) {
            for (var port : List.of(MASTER_PORT, MARATHON_PORT, CHRONOS_PORT)) {
                flows.add(new Flow(gateway, mesos.masters(), "tcp", port));
            }
            mesos.agents().forEach(agent -> flows.add(new Flow(gateway, agent, "tcp", AGENT_PORT)));
            flows.add(new Flow(mesos.masters(), gateway, "tcp", Integer.toString(oidc.port())));
        }
        return flows;
    }

    private static String servicePorts(Mesos mesos) {
        return mesos.marathon()
                .map(marathon -> marathon.firstPort() + "-" + marathon.lastPort())
                .orElseThrow();
    }

    @Override
    public List<Stage> stages(Site site, Name name, Mesos mesos, List<Machine> machines) {
        var layout = new MesosLayout(name, mesos, machines);
        var first = List.of(SiteStages.HOSTS, SiteStages.USERS);
        var stages = new ArrayList<Stage>();
        stages.add(stage(name, "mesos_software", layout.all(), layout::software, first));
        stages.add(stage(name, "zookeeper", layout.masters(), layout::zookeeper, first));
        // They need a complete ensemble, not only the server on the same host.
        var software = name + ".mesos_software";
        var master = name + ".mesos_master";
        stages.add(stage(name, "mesos_master", layout.masters(), layout::master, List.of(software, name + ".zookeeper"))
                .afterEveryHost());
        if (!layout.agents().isEmpty()) {
            stages.add(stage(name, "mesos_agent", layout.agents(), layout::agent, List.of(software, master))
                    .afterEveryHost());
        }
        if (mesos.marathon().isPresent()) {
            stages.add(stage(name, "marathon", layout.masters(), layout::marathon, List.of(master))
                    .afterEveryHost());
        }
        if (!layout.balancers().isEmpty()) {
            stages.add(
                    stage(name, "marathon_lb", layout.balancers(), _ -> layout.balancer(), List.of(name + ".marathon"))
                            .afterEveryHost());
        }
        if (mesos.chronos().isPresent()) {
            stages.add(stage(name, "chronos", layout.masters(), layout::chronos, List.of(master))
                    .afterEveryHost());
        }
        layout.gateway()
                .ifPresent(gateway ->
                        stages.add(stage(name, "oidc_proxy", layout.gateways(), _ -> gateway.proxy(), List.of(master))
                                .afterEveryHost()));
        return stages;
    }

    @Override
    public List<Acceptance> acceptance(Site site, Name name, Mesos mesos, List<Machine> machines) {
        var layout = new MesosLayout(name, mesos, machines);
        return List.of(new Acceptance(
                name.value(), mesos.kind(), layout.masters().getFirst().name(), "mesos/verify.sh.j2", layout.proof()));
    }

    @Override
    public Optional<WorkOptions> workOptions() {
        return Optional.of(new MesosWorkOptions());
    }

    @Override
    public CommandPrefix commandPrefix(Site site, Name name, Mesos mesos, List<Machine> machines, Optional<Name> user) {
        if (mesos.chronos().isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_WITH_KIND,
                    name + " has no Chronos, which runs single commands on a Mesos cluster.",
                    "Add chronos: to the cluster, or submit a service to Marathon from a file:",
                    "deepsite run " + name + " --marathon app.yaml"));
        }
        var owner =
                user.or(() -> site.activeUsers().keySet().stream().findFirst()).map(Name::value);
        return new CommandPrefix(
                new MesosLayout(name, mesos, machines).masters().getFirst().name(),
                List.of("/usr/local/sbin/deepsite-mesos", "run", owner.orElse("nobody")));
    }
}
