package io.deepsite.provider;

/**
 * Identity of a resource within its site, stable over its life; carried as a tag.
 *
 * @param kind the provider's own word: pool, network, volume, instance …
 * @param key unique among the kind within the site; a machine's is its host name
 */
public record ResourceId(String kind, String key) implements Comparable<ResourceId> {
    public static final String MACHINE = "instance";

    public static ResourceId parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 1) {
            throw new IllegalArgumentException("not a resource id: " + text);
        }
        return new ResourceId(text.substring(0, slash), text.substring(slash + 1));
    }

    @Override
    public int compareTo(ResourceId other) {
        int byKind = kind.compareTo(other.kind);
        return byKind != 0 ? byKind : key.compareTo(other.key);
    }

    @Override
    public String toString() {
        return kind + "/" + key;
    }
}
