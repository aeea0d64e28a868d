package io.deepsite.plan;

import io.deepsite.contract.Contents;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A contract whose items contain a fact of the sample's machine, which has one CPU. */
final class OpenItems {
    static final Item.Unknown CPUS = new Item.Unknown("head", "cpus");

    /** A fact of a machine that was never observed. */
    static final Item.Unknown OF_ANOTHER = new Item.Unknown("node-9", "cpus");

    private OpenItems() {}

    static Contract contract(Item.Unknown unknown) {
        var fact = Marker.fact(unknown);
        return new Contract(
                "motd",
                "head",
                List.of(
                        new Item.Ini(
                                "/etc/x.conf",
                                "pool",
                                "size",
                                List.of(fact),
                                false,
                                Item.Phase.BEFORE,
                                Item.Notify.NONE),
                        new Item.Line(
                                "/etc/hosts",
                                "motd",
                                "10.0.0." + fact + " head\n",
                                Item.Phase.BEFORE,
                                Item.Notify.NONE),
                        new Item.Mount(
                                "/srv", "10.0.0." + fact + ":/srv", "nfs", "ro", Item.Phase.BEFORE, Item.Notify.NONE)),
                SamplePlan.contract(SamplePlan.TEXT).actions());
    }

    static Contract closed() {
        return UnknownResolver.NOTHING
                .knowing(Map.of("head/cpus", "1"))
                .recorded(contract(CPUS), new Contents(new TreeMap<>()));
    }
}
