package io.deepsite.site.load;

import io.deepsite.site.Name;
import java.util.List;
import java.util.stream.IntStream;

/** A machine group that a cluster names, and where. */
public record NamedGroup(Name group, String place) {

    /** Those of a list, by the place of each. */
    public static List<NamedGroup> of(List<Name> groups, String path) {
        return IntStream.range(0, groups.size())
                .mapToObj(i -> new NamedGroup(groups.get(i), path + "[" + i + "]"))
                .toList();
    }
}
