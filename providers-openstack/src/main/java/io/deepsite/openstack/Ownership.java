package io.deepsite.openstack;

import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Our tags as one text, in a field that the create call of a kind accepts: the description in Neutron and of
 * flavors, a metadata or property in Nova, Cinder and Glance, the name of a server group.
 *
 * @param id of the resource that carries it
 */
record Ownership(ResourceId id, Tags tags) {
    /** The key in metadata or properties. */
    static final String KEY = "deepsite";

    /** On a volume that outlives its site: the name of the site and the volume's id, which stay when the tags go. */
    static final String KEPT_FOR = KEY + "-kept-for";

    private static final Pattern TEXT = Pattern.compile(
            "\\bsite=(\\S+) id=(\\S+/\\S+) lineage=(\\S+)(?: ends=(\\S+))?(?: since=(\\S+))?(?: fence=([0-9]{1,18}))?");

    /** Nova takes only letters, digits, hyphens and blanks in the name of a keypair, and nothing beside the name. */
    private static final Pattern KEYPAIR = Pattern.compile("ds-(.+)-login-([0-9a-f-]{36})");

    /** At most 255 characters, the limit of Neutron and Nova. */
    String text() {
        return "site=" + tags.site() + " id=" + id + " lineage=" + tags.lineage()
                + tags.lease().map(Ownership::lease).orElse("")
                + tags.fence().map(fence -> " fence=" + fence).orElse("");
    }

    private static String lease(Tags.Lease lease) {
        return " ends=" + lease.ends()
                + lease.since().map(begin -> " since=" + begin).orElse("");
    }

    /** Empty if deepsite did not write the text. */
    static Optional<Ownership> of(String text) {
        var match = TEXT.matcher(text);
        if (!match.find()) {
            return Optional.empty();
        }
        try {
            var since = Optional.ofNullable(match.group(5)).map(Instant::parse);
            var lease = Optional.ofNullable(match.group(4)).map(Instant::parse).map(end -> new Tags.Lease(end, since));
            var fence = Optional.ofNullable(match.group(6)).map(Long::valueOf);
            return Optional.of(new Ownership(
                    ResourceId.parse(match.group(2)),
                    new Tags(Name.parse(match.group(1)), match.group(3), lease, fence)));
        } catch (IllegalArgumentException | DateTimeException _) {
            return Optional.empty();
        }
    }

    /** What {@link #KEPT_FOR} holds. */
    static String keptFor(Name site, ResourceId id) {
        return site + " " + id;
    }

    /** Whether an earlier site of this name left the volume for the next one. */
    static boolean isKept(Snapshot.Volume volume, ResourceId id, Name site) {
        return of(volume.tags()).isEmpty()
                && keptFor(site, id).equals(volume.metadata().get(KEPT_FOR));
    }

    static String keypairName(Tags tags) {
        return Kinds.name(tags.site(), Kinds.THE_KEYPAIR) + "-" + tags.lineage();
    }

    /** The same text, read from the name of a keypair; empty if it is not ours. */
    static String textOfKeypair(String name) {
        var match = KEYPAIR.matcher(name);
        return match.matches()
                ? "site=" + match.group(1) + " id=" + Kinds.THE_KEYPAIR + " lineage=" + match.group(2)
                : "";
    }

    /** The text belongs to this resource of this site and state. Lease and fence may differ. */
    static boolean isOn(String text, ResourceId id, Tags tags) {
        return of(text).map(found -> found.id().equals(id) && found.tags().sameState(tags))
                .orElse(false);
    }

    Ownership with(Optional<Tags.Lease> lease) {
        return new Ownership(id, tags.with(lease));
    }
}
