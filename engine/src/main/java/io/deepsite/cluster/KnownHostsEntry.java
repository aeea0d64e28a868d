package io.deepsite.cluster;

import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.contract.Unknowns;
import io.deepsite.provider.Machine;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The SSH host keys that a site's hosts know of each other (ADR 14), in the form that templates of known_hosts take.
 */
public final class KnownHostsEntry {
    private static final int USUAL_PORT = 22;

    private KnownHostsEntry() {}

    /** @param at names and addresses by which the others reach the machine */
    public static Map<String, Object> of(Machine machine, String... at) {
        return Map.of(
                "place", Stream.of(at).map(each -> place(machine, each)).collect(Collectors.joining(",")),
                "key", Marker.fact(new Item.Unknown(machine.name(), Unknowns.HOST_KEY)));
    }

    private static String place(Machine machine, String at) {
        return machine.port() == USUAL_PORT ? at : "[" + at + "]:" + machine.port();
    }
}
