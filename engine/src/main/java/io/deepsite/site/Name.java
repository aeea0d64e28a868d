package io.deepsite.site;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A name of a site, machine group, cluster, partition, user or group: one valid label of a host name, because machines
 * and back-end objects are named from it. Lower case letters, digits and hyphens, starts with a letter, at most 40.
 */
public record Name(String value) implements Comparable<Name> {
    public static final String PATTERN = "[a-z]([a-z0-9-]{0,38}[a-z0-9])?";
    private static final Pattern VALID = Pattern.compile(PATTERN);

    public Name {
        if (!VALID.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "a name has lower case letters, digits and hyphens, starts with a letter, ends with a letter or"
                            + " digit, and is at most 40 long");
        }
    }

    public static Name parse(String text) {
        return new Name(text);
    }

    @Override
    public int compareTo(Name other) {
        return value.compareTo(other.value);
    }

    /** Like the record's own, whose first call generates code for milliseconds of every command. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Name name && value.equals(name.value);
    }

    @Override
    public int hashCode() {
        return value.hashCode();
    }

    @Override
    public String toString() {
        return value;
    }
}
