package io.deepsite.site;

import java.util.regex.Pattern;

/**
 * A name that becomes part of a path, or a word of a configuration file, on the operator's machine: of hosts, roles, stages
 * and tasks files. What deepsite makes up itself always is one; what it reads back from a file need not be.
 */
public final class PathName {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]*");

    private PathName() {}

    /**
     * @param what it names, for the message
     * @throws IllegalArgumentException when it could lead elsewhere
     */
    public static String require(String what, String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "\"" + name + "\" cannot name a " + what + ": letters, digits, '_', '.' and '-' can");
        }
        return name;
    }
}
