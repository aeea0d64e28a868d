package io.deepsite.opennebula;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** The environment variables of OpenNebula's commands. */
record Environment(Map<String, String> variables, Path home) {
    Environment {
        variables = Map.copyOf(variables);
    }

    static Environment ofProcess() {
        var variables = System.getenv();
        return new Environment(
                variables, Path.of(variables.getOrDefault("HOME", System.getProperty("user.home", "/"))));
    }

    /** Empty also if it is set to an empty text. */
    Optional<String> variable(String name) {
        return Optional.ofNullable(variables.get(name)).filter(value -> !value.isBlank());
    }
}
