package io.deepsite.site;

import java.util.List;
import java.util.Optional;

/** A value that a run may set: {@code --set nodes=4}; used in site.yaml as a whole scalar {@code ${nodes}}. */
public record Parameter(
        @Key(
                value = "What its value is.",
                example = "integer",
                choices = {"string", "integer", "boolean", "size", "time"})
        String type,

        @Key(
                value = "Used when nothing is set; without it the parameter must be set.",
                name = "default",
                example = "2",
                confined = true)
        Optional<String> defaultValue,

        @Key(value = "What it is for.", example = "How many compute nodes.", confined = true)
        Optional<String> description,

        @Key(value = "Smallest value of an integer, a size or a time.", example = "1", confined = true)
        Optional<String> min,

        @Key(value = "Largest value of an integer, a size or a time.", example = "16", confined = true)
        Optional<String> max,

        @Key(value = "The only values that a string may have.", example = "[debian/12, debian/13]", confined = true)
        List<String> choices) {

    public Parameter {
        choices = List.copyOf(choices);
    }
}
