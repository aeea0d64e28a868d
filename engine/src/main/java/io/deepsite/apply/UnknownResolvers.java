package io.deepsite.apply;

import io.deepsite.plan.UnknownResolver;
import io.deepsite.state.SecretStore;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** Builds the resolver of a plan's unknowns. */
public final class UnknownResolvers {
    private UnknownResolvers() {}

    /** Reads the vault if the site has one. */
    public static UnknownResolver of(SecretStore secrets, Map<String, String> facts) {
        var values = new TreeMap<String, String>();
        secrets.names().forEach(name -> secrets.find(name).ifPresent(secret -> values.put(name, secret.reveal())));
        var key = secrets.siteKey();
        return new UnknownResolver(
                values,
                secrets.fingerprints(),
                facts,
                digest -> key.map(present -> present.fingerprint("content", digest.getBytes(StandardCharsets.US_ASCII)))
                        .orElse("unknown"));
    }
}
