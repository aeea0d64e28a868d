package io.deepsite.cluster;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The acceptance test of a cluster: a POSIX sh script, rendered from a template and run as root on one of its hosts.
 * Each line it prints that starts with {@code CHECK} is one result: {@code CHECK <tab> id <tab> passed|failed|busy
 * <tab> node or - <tab> seconds <tab> message}.
 *
 * @param template below templates/
 * @param variables for the template; the script gets DEEPSITE_PATIENCE (seconds) and DEEPSITE_FRESH (newly created
 *     hosts) as environment variables
 */
public record Acceptance(
        String cluster, String kind, String host, String template, SortedMap<String, Object> variables) {
    public Acceptance {
        variables = new TreeMap<>(variables);
    }
}
