package io.deepsite.site;

import java.util.Optional;

/** A value that a run may set: {@code --set nodes=4}; used in site.yaml as a whole scalar {@code ${nodes}}. */
public record Parameter(
        @Key(
                value = "What its value is.",
                example = "integer",
                choices = {"string", "integer", "boolean", "size", "time"})
        String type,

        @Key(value = "Used when nothing is set; without it the parameter must be set.", name = "default", example = "2")
        Optional<String> defaultValue,

        @Key(value = "What it is for.", example = "How many compute nodes.")
        Optional<String> description) {}
