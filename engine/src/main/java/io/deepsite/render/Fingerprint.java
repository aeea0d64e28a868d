package io.deepsite.render;

import io.deepsite.contract.Contract;
import io.deepsite.contract.Digests;

/** One short text for all that a contract asks; it changes when, and only when, that changes. */
public final class Fingerprint {
    private Fingerprint() {}

    public static String of(Contract contract) {
        return "sha256:" + Digests.sha256(ContractJson.write(contract));
    }
}
