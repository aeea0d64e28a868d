package io.deepsite.cluster.kubernetes;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;

/**
 * The pod range of each node on a plain bridge: the /24 whose number within the cluster's range equals that of the
 * node's address, so that adding or removing machines never moves other pods. The role kubernetes_network computes the
 * same on the node, where the address is always known.
 */
final class PodRanges {
    /** Of one node; 254 pods, more than kubelet's own limit. */
    static final int NODE_PREFIX = 24;

    private PodRanges() {}

    /** @throws Failure if there are fewer ranges than nodes */
    static void refuseTooMany(Cidr pods, int nodes) {
        int room = 1 << Math.clamp(NODE_PREFIX - pods.prefix(), 0, NODE_PREFIX);
        if (nodes > room) {
            throw new Failure(Diagnostic.error(
                    Code.POD_RANGES,
                    "Each node takes a /" + NODE_PREFIX + " of " + pods + ", which is enough for " + room
                            + "; the cluster has " + nodes + " nodes.",
                    "Widen the range of pods."));
        }
    }

    /** @throws Failure if two nodes would share a range, as far as addresses are known */
    static void refuseClash(Cidr pods, List<Machine> machines) {
        var taken = new HashMap<BigInteger, Machine>();
        for (var machine : machines) {
            machine.address()
                    .filter(text -> text.matches(IpAddress.PATTERN))
                    .map(IpAddress::parse)
                    .ifPresent(address -> {
                        var other = taken.putIfAbsent(number(pods, address), machine);
                        if (other != null) {
                            throw new Failure(Diagnostic.error(
                                    Code.POD_RANGES,
                                    "The addresses of " + other.name() + " and " + machine.name()
                                            + " map to the same range of pods within " + pods + ".",
                                    "Widen network.pods, or use the plugin flannel."));
                        }
                    });
        }
    }

    private static BigInteger number(Cidr pods, IpAddress address) {
        return new BigInteger(1, address.value().getAddress())
                .mod(BigInteger.ONE.shiftLeft(Math.max(0, NODE_PREFIX - pods.prefix())));
    }
}
