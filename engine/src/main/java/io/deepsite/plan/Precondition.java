package io.deepsite.plan;

import io.deepsite.contract.Contract;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Item;
import io.deepsite.remote.ProbeAnswer;

/** What apply must find unchanged before it changes a host. */
public final class Precondition {
    private Precondition() {}

    /**
     * A digest of the observed items of the contract; without what a running process reports, which may change by
     * itself.
     */
    public static String of(Contract contract, ProbeAnswer observed, UnknownResolver resolver) {
        var text = new StringBuilder();
        contract.items().stream()
                .filter(item -> !(item instanceof Item.Probe))
                .forEach(item -> text.append(item.id())
                        .append(' ')
                        .append(resolver.keyed(item, observed.of(item)))
                        .append('\n'));
        contract.actions()
                .forEach(action -> text.append(action.id())
                        .append(' ')
                        .append(observed.isDone(contract.role(), action.id()))
                        .append('\n'));
        return Digests.sha256(text.toString());
    }
}
