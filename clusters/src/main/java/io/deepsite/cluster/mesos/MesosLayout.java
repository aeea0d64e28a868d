package io.deepsite.cluster.mesos;

import static io.deepsite.cluster.ClusterStages.in;
import static io.deepsite.cluster.ClusterStages.secrets;

import io.deepsite.cluster.SiteStages;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Assigns the roles of one Mesos cluster to machines, with their variables. */
final class MesosLayout {
    private static final String NVIDIA = "nvidia";

    static final int MASTER_PORT = 5050;
    static final int AGENT_PORT = 5051;
    static final int MARATHON_PORT = 8080;
    static final int CHRONOS_PORT = 4400;

    private final Name name;
    private final Mesos mesos;
    private final List<Machine> masters;
    private final List<Machine> agents;
    private final List<Machine> balancers;
    private final List<Machine> gateways;
    private final String secrets;
    private final MesosSoftware software;

    MesosLayout(Name name, Mesos mesos, List<Machine> machines) {
        this.name = name;
        this.mesos = mesos;
        masters = in(mesos.masters(), machines);
        agents = in(mesos.agents(), machines);
        balancers = in(mesos.loadBalancers(), machines);
        gateways = in(mesos.doors(), machines);
        secrets = secrets(mesos, name);
        software = new MesosSoftware(mesos);
    }

    List<Machine> masters() {
        return masters;
    }

    List<Machine> agents() {
        return agents;
    }

    List<Machine> balancers() {
        return balancers;
    }

    /** The gateways for users who log in at an identity provider. */
    List<Machine> gateways() {
        return gateways;
    }

    boolean hasMarathon() {
        return mesos.marathon().isPresent();
    }

    boolean hasChronos() {
        return mesos.chronos().isPresent();
    }

    /** The prefix of the cluster's secret names. */
    String ofSecrets() {
        return secrets;
    }

    /** Machines that run any part of Mesos itself. */
    List<Machine> all() {
        return Stream.concat(masters.stream(), agents.stream()).toList();
    }

    /** A majority: more than half of the masters. */
    int quorum() {
        return masters.size() / 2 + 1;
    }

    private List<Map<String, Object>> members() {
        var members = new ArrayList<Map<String, Object>>();
        for (int i = 0; i < masters.size(); i++) {
            var machine = masters.get(i);
            members.add(Map.of("id", i + 1, "name", machine.name(), "address", SiteStages.address(machine)));
        }
        return members;
    }

    List<String> addresses() {
        return masters.stream().map(SiteStages::address).toList();
    }

    Map<String, Object> zookeeper(Machine machine) {
        return Map.of("zookeeper_id", masters.indexOf(machine) + 1, "zookeeper_servers", members());
    }

    Map<String, Object> software(Machine machine) {
        return software.variables(masters.contains(machine));
    }

    Map<String, Object> master(Machine machine) {
        var variables = new LinkedHashMap<String, Object>();
        variables.put("mesos_master_cluster", name.value());
        variables.put("mesos_master_address", SiteStages.address(machine));
        variables.put("mesos_master_servers", addresses());
        variables.put("mesos_master_quorum", quorum());
        variables.put("mesos_master_folder", software.folder());
        variables.put("mesos_master_image", software.masterImage());
        variables.put("mesos_master_frameworks", frameworks());
        variables.put("mesos_master_door", gateway().map(MesosGateway::asked).orElseGet(Map::of));
        variables.put("mesos_master_secrets", secrets);
        return variables;
    }

    private List<String> frameworks() {
        var frameworks = new ArrayList<String>();
        mesos.marathon().ifPresent(_ -> frameworks.add("marathon"));
        mesos.chronos().ifPresent(_ -> frameworks.add("chronos"));
        return frameworks;
    }

    Map<String, Object> agent(Machine machine) {
        var variables = new LinkedHashMap<String, Object>();
        variables.put("mesos_agent_address", SiteStages.address(machine));
        variables.put("mesos_agent_servers", addresses());
        variables.put("mesos_agent_docker", mesos.docker());
        variables.put("mesos_agent_folder", software.folder());
        variables.put("mesos_agent_image", software.agentImage());
        variables.put("mesos_agent_gpus", offered(machine));
        variables.put("mesos_agent_all_gpus", offered(machine) == cards(machine));
        variables.put("mesos_agent_secrets", secrets);
        return variables;
    }

    private static int cards(Machine machine) {
        return (int) machine.gpus().stream()
                .filter(gpu -> gpu.vendor().equals(NVIDIA))
                .count();
    }

    int offered(Machine machine) {
        return mesos.gpu().offer().stream()
                .filter(offer -> offer.group().equals(machine.group()))
                .map(Mesos.Offer::count)
                .findFirst()
                .orElseGet(() -> cards(machine));
    }

    private boolean hasGpus() {
        return agents.stream().anyMatch(agent -> offered(agent) > 0);
    }

    Map<String, Object> marathon(Machine machine) {
        var marathon = mesos.marathon().orElseThrow();
        var variables = new LinkedHashMap<String, Object>();
        variables.put("marathon_address", SiteStages.address(machine));
        variables.put("marathon_servers", addresses());
        variables.put("marathon_program", software.marathon());
        variables.put("marathon_image", marathon.image().orElse(""));
        variables.put("marathon_library", software.library());
        variables.put("marathon_first_port", marathon.firstPort());
        variables.put("marathon_last_port", marathon.lastPort());
        variables.put("marathon_gpus", hasGpus());
        variables.put("marathon_secrets", secrets);
        return variables;
    }

    Map<String, Object> balancer() {
        var marathon = mesos.marathon().orElseThrow();
        return Map.of(
                "marathon_lb_servers", addresses(),
                "marathon_lb_first_port", marathon.firstPort(),
                "marathon_lb_last_port", marathon.lastPort(),
                "marathon_lb_secrets", secrets);
    }

    Map<String, Object> chronos(Machine machine) {
        return Map.of(
                "chronos_address", SiteStages.address(machine),
                "chronos_servers", addresses(),
                "chronos_image", mesos.chronos().flatMap(Mesos.Chronos::image).orElse(""),
                "chronos_library", software.library(),
                "chronos_gpus", hasGpus(),
                "chronos_secrets", secrets);
    }

    Optional<MesosGateway> gateway() {
        return mesos.oidc().map(oidc -> new MesosGateway(this, oidc));
    }

    private static List<Map<String, Object>> named(List<Machine> machines) {
        return machines.stream()
                .map(machine -> Map.<String, Object>of("name", machine.name(), "address", SiteStages.address(machine)))
                .toList();
    }

    SortedMap<String, Object> proof() {
        var variables = new TreeMap<String, Object>();
        variables.put("mesos_verify_masters", members());
        variables.put("mesos_verify_quorum", quorum());
        variables.put(
                "mesos_verify_agents",
                agents.stream()
                        .map(agent -> Map.of(
                                "name",
                                agent.name(),
                                "address",
                                SiteStages.address(agent),
                                "cpus",
                                agent.cpus(),
                                "gpus",
                                offered(agent)))
                        .toList());
        variables.put("mesos_verify_balancers", named(balancers));
        variables.put(
                "mesos_verify_doors", mesos.oidc().map(_ -> named(gateways)).orElseGet(List::of));
        variables.put(
                "mesos_verify_login",
                mesos.oidc().flatMap(MesosOidc::acceptance).isPresent());
        variables.put("mesos_verify_marathon", mesos.marathon().isPresent());
        variables.put("mesos_verify_chronos", mesos.chronos().isPresent());
        return variables;
    }
}
