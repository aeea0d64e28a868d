package io.deepsite.plan;

import io.deepsite.contract.Contract;
import io.deepsite.render.ContractJson;
import io.deepsite.state.RecordedRole;
import java.util.IdentityHashMap;

/** Contracts as hosts got them; each is decoded once, since a plan looks at every one of them for every role of its host. */
final class Applied {
    private final IdentityHashMap<Object, Contract> decoded = new IdentityHashMap<>();

    Contract contract(RecordedRole role) {
        return decoded.computeIfAbsent(role.contract(), _ -> ContractJson.contract(role.contract()));
    }
}
