package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.Element;
import io.deepsite.opennebula.oca.Template;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * deepsite's tags as one vector attribute, which every template of OpenNebula accepts: for a virtual machine in its
 * USER_TEMPLATE, for others in their TEMPLATE.
 *
 * @param id of the resource that carries it
 */
record Ownership(ResourceId id, Tags tags) {
    static final String ATTRIBUTE = "DEEPSITE";

    void into(Template template) {
        var values = new TreeMap<>(Map.of("SITE", tags.site().value(), "ID", id.toString(), "LINEAGE", tags.lineage()));
        tags.fence().ifPresent(fence -> values.put("FENCE", fence.toString()));
        tags.lease().ifPresent(lease -> {
            values.put("ENDS", lease.ends().toString());
            lease.since().ifPresent(begin -> values.put("SINCE", begin.toString()));
        });
        template.vector(ATTRIBUTE, values);
    }

    /** Empty if it is not in deepsite's format. */
    static Optional<Ownership> of(Element template) {
        return template.first(ATTRIBUTE).map(Element::values).flatMap(Ownership::of);
    }

    private static Optional<Ownership> of(Map<String, String> values) {
        try {
            var since = Optional.ofNullable(values.get("SINCE")).map(Instant::parse);
            var lease =
                    Optional.ofNullable(values.get("ENDS")).map(Instant::parse).map(end -> new Tags.Lease(end, since));
            var lineage = values.getOrDefault("LINEAGE", "");
            return lineage.isEmpty()
                    ? Optional.empty()
                    : Optional.of(new Ownership(
                            ResourceId.parse(values.getOrDefault("ID", "")),
                            new Tags(
                                    Name.parse(values.getOrDefault("SITE", "")),
                                    lineage,
                                    lease,
                                    Optional.ofNullable(values.get("FENCE")).map(Long::valueOf))));
        } catch (IllegalArgumentException | DateTimeException _) {
            return Optional.empty();
        }
    }

    boolean isOf(ResourceId other, Name site) {
        return id.equals(other) && tags.site().equals(site);
    }

    Ownership with(Optional<Tags.Lease> lease) {
        return new Ownership(id, tags.with(lease));
    }
}
