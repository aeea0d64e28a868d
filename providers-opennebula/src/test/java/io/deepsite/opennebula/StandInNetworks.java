package io.deepsite.opennebula;

import io.deepsite.opennebula.StandInCalls.Call;
import io.deepsite.opennebula.StandInCloud.No;
import io.deepsite.opennebula.StandInThing.Attribute;
import io.deepsite.opennebula.oca.OneVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Virtual networks of the stand-in. From 6.4 on they have states: a driver makes and deletes the address ranges after oned
 * has answered, here at the next list. Source: OpenNebula/one, release-6.4.0 and release-6.10.0, include/VirtualNetwork.h,
 * src/ipamm/IPAMManagerProtocol.cc and src/rm/RequestManagerDelete.cc; seen with oned 6.10.0.
 */
final class StandInNetworks {
    private static final String KIND = "network";
    private static final String READY = "1";
    private static final String LOCK_CREATE = "2";
    private static final String LOCK_DELETE = "3";
    private static final String ERROR = "5";

    /**
     * Where a network is that one.vn.allocate puts into no cluster (-1). Source: OpenNebula/one, release-7.0.2,
     * include/RequestManagerAllocate.h, get_cluster_id of VirtualNetworkAllocate.
     */
    static final int FIRST_CLUSTER = 0;

    private final StandInCloud cloud;
    private final Map<String, List<Integer>> clusters = new HashMap<>();
    private List<String> fate = List.of(READY);

    StandInNetworks(StandInCloud cloud) {
        this.cloud = cloud;
    }

    /** The next states of the next network. */
    void next(String... states) {
        fate = List.of(states);
    }

    /** Adds it to clusters, as an administrator does. */
    void clusters(String name, Integer... ids) {
        clusters.put(name, List.of(ids));
    }

    Object dispatch(Call call) {
        return switch (call.method()) {
            case "one.vnpool.info" -> all();
            case "one.vn.info" -> xml(cloud.get(KIND, call.number(0)), true);
            case "one.vn.allocate" -> allocate(call.text(0));
            case "one.vn.update" -> cloud.update(KIND, call);
            case "one.vn.delete" -> delete(call.number(0));
            default -> throw new IllegalStateException("not played: " + call.method());
        };
    }

    private boolean haveStates() {
        return OneVersion.parse(cloud.version()).atLeast(new OneVersion(6, 4, ""));
    }

    private String all() {
        cloud.all(KIND).values().removeIf(network -> network.next.equals(List.of(StandInVms.GONE)));
        cloud.all(KIND).values().forEach(StandInNetworks::advance);
        return cloud.pool("VNET_POOL", "VNET", KIND);
    }

    private static void advance(StandInThing network) {
        if (!network.next.isEmpty()) {
            network.fields.put("STATE", network.next.removeFirst());
        }
        if (network.field("STATE").equals(ERROR)
                && StandInThing.text(network.template, "ERROR").isEmpty()) {
            network.template.add(new Attribute("ERROR", "IPAM driver: no server answers", new TreeMap<>()));
        }
    }

    private int allocate(String template) {
        int id = cloud.made(KIND, template, Map.of());
        if (haveStates()) {
            var network = cloud.get(KIND, id);
            network.fields.put("STATE", LOCK_CREATE);
            network.next.addAll(fate);
            fate = List.of(READY);
        }
        return id;
    }

    private int delete(int id) {
        if (!haveStates()) {
            return cloud.delete(KIND, id);
        }
        cloud.refuseInUse(KIND, id);
        var network = cloud.get(KIND, id);
        if (Set.of(LOCK_CREATE, LOCK_DELETE).contains(network.field("STATE"))) {
            throw new No(
                    StandInCloud.WRONG_STATE,
                    "Can not remove a Virtual Network, wrong state " + network.field("STATE"));
        }
        network.fields.put("STATE", LOCK_DELETE);
        network.next.add(StandInVms.GONE);
        return id;
    }

    /** Whether machines get leases: an administrator's networks have no state here. */
    static boolean isReady(StandInThing network) {
        return Set.of("", READY).contains(network.field("STATE"));
    }

    /** Its ranges are separate from its template, and exist once it is ready; only the document of one network has leases. */
    String xml(StandInThing network, boolean whole) {
        var ranges = new StringBuilder();
        for (var range :
                isReady(network) ? StandInThing.vectors(network.template, "AR") : List.<Map<String, String>>of()) {
            var inside = new StringBuilder();
            range.forEach((key, value) -> inside.append(StandInThing.xml(key, value)));
            if (whole) {
                inside.append("<LEASES>");
                cloud.vms()
                        .leases(network.id)
                        .forEach(address -> inside.append("<LEASE>" + StandInThing.xml("IP", address) + "</LEASE>"));
                inside.append("</LEASES>");
            }
            ranges.append("<AR>" + inside + "</AR>");
        }
        var rest = network.template.stream()
                .filter(attribute -> !attribute.name().equals("AR"))
                .toList();
        var in = new StringBuilder();
        clusters.getOrDefault(network.name, List.of(FIRST_CLUSTER)).forEach(id -> in.append("<ID>" + id + "</ID>"));
        return network.whole(
                "VNET",
                "<CLUSTERS>" + in + "</CLUSTERS><AR_POOL>" + ranges + "</AR_POOL>"
                        + StandInThing.xml("TEMPLATE", rest));
    }
}
