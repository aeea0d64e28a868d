package io.deepsite.operations;

import io.deepsite.site.LeaseTerms;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Span;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The site whose machines become baked images: on the back-end of another one, with its machines' images and sizes, and
 * nothing else of it.
 *
 * @param of the other one
 */
record TemporarySite(Site of) {
    private static final String SUFFIX = "-bake";
    private static final int LONGEST_NAME = 40;
    /** Far more than it takes; whoever enforces leases ends what a killed run left. */
    private static final Span LIFE = new Span(Duration.ofHours(3));

    Name name() {
        var site = of.name().value();
        int length = Math.min(site.length(), LONGEST_NAME - SUFFIX.length());
        return new Name(site.substring(0, length) + SUFFIX);
    }

    /** With a machine for each of these groups, named as the group. */
    Site with(Set<Name> groups) {
        var machines = new LinkedHashMap<Name, MachineGroup>();
        of.machines().forEach((name, group) -> {
            if (groups.contains(name)) {
                machines.put(
                        name,
                        new MachineGroup(
                                group.image(),
                                Optional.empty(),
                                group.cpus(),
                                group.memory(),
                                group.disk(),
                                List.of(),
                                Optional.empty(),
                                List.of(),
                                Optional.empty(),
                                Collections.emptySortedSet()));
            }
        });
        return new Site(
                name(),
                of.provider(),
                Optional.of(LeaseTerms.of(LIFE, Optional.empty())),
                machines,
                Map.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                of.ssh(),
                of.verify(),
                Map.of(),
                of.mirrors(),
                of.proxy(),
                Optional.empty());
    }
}
