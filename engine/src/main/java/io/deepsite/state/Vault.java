package io.deepsite.state;

import io.deepsite.diag.Failure;
import java.util.Optional;

/** Stores the encrypted secrets of one site as a whole. Each implementation passes {@code SecretStoreContractTest}. */
public interface Vault {
    /** For messages. */
    String name();

    String site();

    /**
     * Empty if the site has none.
     *
     * @throws Failure VAULT_DAMAGED if it cannot be read, or is missing although there was one
     */
    Optional<byte[]> read();

    /** Equal as long as {@link #read} would give the same. */
    Object version();

    /** All or nothing, durable on return. The caller holds the site's lock. */
    void replace(byte[] encrypted);

    /** VAULT_DAMAGED, with the way to restore what was there before. */
    Failure damaged(String why);
}
