package io.deepsite.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import picocli.CommandLine.Option;

/** {@code --set name=value}. */
final class SetOptions {
    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            order = 80,
            description = "Value of a parameter that site.yaml declares; may be repeated.")
    private Map<String, String> set = new LinkedHashMap<>();

    Map<String, String> values() {
        return set;
    }
}
