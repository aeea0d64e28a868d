package io.deepsite.cluster;

import io.deepsite.site.Name;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The machines that a cluster has only while its work needs them, and the program on its controller that says which. It is
 * called with one of these words:
 *
 * <ul>
 *   <li>{@code watch}: prints a line at each change, and at least every 30 seconds, and does not end. Three words, each with
 *       names of machines between commas, or none: {@code wanted=node-2,node-3 released=node-4 failed=}. Wanted are those
 *       that shall exist; released those to be removed, whatever else is said of them, until {@code gone}; failed those whose
 *       failure was reported by {@code failed}, until {@code retry}.
 *   <li>{@code gone MACHINE...}: these do not exist any more.
 *   <li>{@code failed MACHINE...}: these could not be made; standard input says why, in one line.
 *   <li>{@code retry MACHINE...}: these may be asked for again.
 *   <li>{@code verify}: prints results as an {@link Acceptance} does: whether somebody watches. {@code verify make} also has a
 *       machine of each group made for a test job, and leaves it to go as any other. It gets DEEPSITE_PATIENCE, and ends
 *       within half an hour.
 * </ul>
 *
 * @param controller the group of one machine where the program is
 * @param program its path there
 * @param most machines of each elastic group; those that {@code count} says are always there
 */
public record Elastic(Name controller, String program, SortedMap<Name, Integer> most) {
    public Elastic {
        most = Collections.unmodifiableSortedMap(new TreeMap<>(most));
    }
}
