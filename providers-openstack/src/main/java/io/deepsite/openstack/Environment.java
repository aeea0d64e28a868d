package io.deepsite.openstack;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where credentials are read from.
 *
 * @param system the folder of files for all users, {@code /etc/openstack}
 */
record Environment(Map<String, String> variables, Path workingFolder, Path home, Path system) {
    static Environment ofProcess() {
        return new Environment(
                System.getenv(),
                Path.of("").toAbsolutePath(),
                Path.of(System.getProperty("user.home")),
                Path.of("/etc/openstack"));
    }

    /** Empty also for a variable that is set to nothing. */
    Optional<String> variable(String name) {
        return Optional.ofNullable(variables.get(name)).map(String::strip).filter(text -> !text.isEmpty());
    }

    /** Without the variables: they hold secrets. */
    @Override
    public String toString() {
        return "the environment in " + workingFolder;
    }
}
