package io.deepsite.plan;

import io.deepsite.contract.Unknowns;
import io.deepsite.provider.Machine;
import io.deepsite.remote.HostFacts;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** The known facts of machines, named as in {@link UnknownResolver#facts}. */
public final class Facts {
    private Facts() {}

    /** The name of a machine's SSH host key in {@link UnknownResolver#facts}. */
    public static String hostKey(String machine) {
        return machine + "/" + Unknowns.HOST_KEY;
    }

    /** @param reported by machine; unreported facts are omitted */
    public static Map<String, String> of(Collection<Machine> machines, Map<String, HostFacts> reported) {
        var facts = new TreeMap<String, String>();
        machines.forEach(machine ->
                machine.address().ifPresent(address -> facts.put(machine.name() + "/address", address)));
        reported.forEach((machine, fact) -> {
            if (fact.cpus() > 0) {
                facts.put(machine + "/cpus", Integer.toString(fact.cpus()));
            }
            if (fact.memoryMebibytes() > 0) {
                facts.put(machine + "/memory_mib", Long.toString(fact.memoryMebibytes()));
            }
        });
        return facts;
    }
}
