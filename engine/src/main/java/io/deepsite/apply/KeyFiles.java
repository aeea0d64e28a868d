package io.deepsite.apply;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Private key files named in site.yaml.
 *
 * @param site the folder of site.yaml, against which relative names resolve
 */
record KeyFiles(Path site, Path userHome) {
    private static final String HOME = "~/";

    Path of(Optional<String> named) {
        return named.map(key ->
                        key.startsWith(HOME) ? userHome.resolve(key.substring(HOME.length())) : site.resolve(key))
                .orElse(userHome.resolve(".ssh/id_ed25519"));
    }
}
