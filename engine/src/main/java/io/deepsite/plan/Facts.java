package io.deepsite.plan;

import io.deepsite.contract.Unknowns;
import io.deepsite.provider.Machine;
import io.deepsite.remote.HostFacts;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** What is known of machines, as {@link UnknownResolver#facts} names it. */
public final class Facts {
    private Facts() {}

    /** How {@link UnknownResolver#facts} names the SSH host key of a machine. */
    public static String hostKey(String machine) {
        return machine + "/" + Unknowns.HOST_KEY;
    }

    /** @param told by machine; what a machine did not tell is left out */
    public static Map<String, String> of(Collection<Machine> machines, Map<String, HostFacts> told) {
        var facts = new TreeMap<String, String>();
        machines.forEach(machine ->
                machine.address().ifPresent(address -> facts.put(machine.name() + "/address", address)));
        told.forEach((machine, fact) -> {
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
