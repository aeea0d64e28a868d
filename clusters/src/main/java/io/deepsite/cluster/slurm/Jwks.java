package io.deepsite.cluster.slurm;

import io.deepsite.cluster.LocalFile;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Where;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Public keys of an identity provider: a JWKS (RFC 7517). With one that it cannot read slurmctld does not start. */
final class Jwks {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Jwks() {}

    /** @throws Failure FILE_UNREADABLE */
    static String read(String file) {
        var text = LocalFile.read(file);
        fault(text).ifPresent(why -> {
            throw new Failure(Diagnostic.error(
                    Code.FILE_UNREADABLE,
                    Where.file(file),
                    "It is no set of public keys (JWKS): " + why + ".",
                    "Take what jwks_uri of the provider gives, and there the keys for RS256."));
        });
        return text;
    }

    private static Optional<String> fault(String text) {
        JsonNode keys;
        try {
            keys = JSON.readTree(text).path("keys");
        } catch (JacksonException _) {
            return Optional.of("it is no JSON");
        }
        if (!keys.isArray() || keys.isEmpty()) {
            return Optional.of("it has no keys");
        }
        for (var key : keys) {
            if (key.has("d") || key.has("k")) {
                return Optional.of("it holds a private key");
            }
            boolean whole = key.path("alg").asString("").equals("RS256")
                    && key.path("kty").asString("").equals("RSA")
                    && key.path("kid").isString()
                    && key.path("n").isString()
                    && key.path("e").isString();
            if (!whole) {
                return Optional.of("a key is none for RS256 with kid, n and e, which is all that Slurm takes");
            }
        }
        return Optional.empty();
    }
}
