package io.deepsite.plan;

import io.deepsite.contract.Contract;
import io.deepsite.render.ContractJson;
import io.deepsite.state.RecordedRole;
import java.util.IdentityHashMap;

/**
 * Contracts as applied to the hosts; each is decoded once, since a plan reads all contracts of a host for each of its
 * roles.
 */
final class Applied {
    private final IdentityHashMap<Object, Contract> decoded = new IdentityHashMap<>();

    Contract contract(RecordedRole role) {
        return decoded.computeIfAbsent(role.contract(), _ -> ContractJson.contract(role.contract()));
    }
}
