package io.deepsite.site.load;

import io.deepsite.site.ChangeImpact;
import java.util.List;

/**
 * One key of site.yaml.
 *
 * @param header read by the loader itself ({@code apiVersion}, {@code kind}): the record has no component for it
 * @param needed leaving it out is a fault
 * @param optional the component is an {@code Optional}
 * @param entryNeeded an empty list or map is a fault
 * @param distinct no two entries of a map have the same value here
 * @param confined its value reaches nothing but the site's own machines; always of what is no value
 */
record Field(
        String key,
        boolean header,
        Shape shape,
        String about,
        String defaultValue,
        String example,
        ChangeImpact impact,
        boolean needed,
        boolean optional,
        boolean entryNeeded,
        boolean notYet,
        long min,
        long max,
        List<String> choices,
        String pattern,
        boolean distinct,
        boolean confined) {

    static Field header(String key, String about, String example, ChangeImpact impact, List<String> choices) {
        return new Field(
                key,
                true,
                new Shape.Scalar(String.class),
                about,
                "",
                example,
                impact,
                true,
                false,
                false,
                false,
                Long.MIN_VALUE,
                Long.MAX_VALUE,
                choices,
                "",
                false,
                true);
    }

    /** What to show where a value is wanted: the example, else the default; empty for none. */
    String sample() {
        return example.isEmpty() ? defaultValue : example;
    }

    /** Its value is true or false. */
    boolean isFlag() {
        return shape instanceof Shape.Scalar scalar
                && (scalar.type() == boolean.class || scalar.type() == Boolean.class);
    }
}
