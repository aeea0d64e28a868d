package io.deepsite.render;

import io.deepsite.contract.Contract;
import io.deepsite.contract.Digests;

/** A digest of everything that a contract requires; it changes if and only if that changes. */
public final class Fingerprint {
    private Fingerprint() {}

    public static String of(Contract contract) {
        return "sha256:" + Digests.sha256(ContractJson.write(contract));
    }
}
