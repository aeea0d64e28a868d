package io.deepsite.provider;

import java.util.stream.Collectors;

/** Designs as text, for golden files. */
public final class Designs {
    private Designs() {}

    public static String words(Design design) {
        var text = new StringBuilder();
        for (var resource : design.resources()) {
            text.append(resource.id()).append("  ").append(resource.name()).append('\n');
            resource.attributes()
                    .forEach((key, attribute) -> text.append("    ")
                            .append(key)
                            .append(": ")
                            .append(attribute.value())
                            .append("  (")
                            .append(attribute.change())
                            .append(")\n"));
            if (!resource.dependsOn().isEmpty()) {
                text.append("    after: ")
                        .append(resource.dependsOn().stream()
                                .map(ResourceId::toString)
                                .collect(Collectors.joining(", ")))
                        .append('\n');
            }
        }
        design.machines()
                .forEach(machine -> text.append(machine.name())
                        .append(" at ")
                        .append(machine.address().orElse("?"))
                        .append(machine.via().map(gate -> " through " + gate).orElse(""))
                        .append('\n'));
        return text.toString();
    }
}
