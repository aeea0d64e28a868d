package io.deepsite.site.load;

import io.deepsite.diag.Where;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** The position of each path of the document in the file. Paths read {@code machines.node.gpus[0].model}. */
public final class Places {
    private final SourceText source;
    private final Map<String, Place> places = new HashMap<>();
    private final Map<String, Places> included = new HashMap<>();

    /** @param key null for the document and for an entry of a list */
    private record Place(@Nullable Node key, Node value) {}

    Places(SourceText source) {
        this.source = source;
    }

    void put(String path, @Nullable Node key, Node value) {
        places.put(path, new Place(key, value));
    }

    /** From now on, what is at or below this path is where another file says it, unless this one does, too. */
    void include(String path, Places other) {
        if (!places.containsKey(path)) {
            included.put(path, other);
        }
    }

    /** Another file says it. */
    boolean isIncluded(String path) {
        return elsewhere(path) != null;
    }

    private @Nullable Places elsewhere(String path) {
        for (String part = path; !included.isEmpty() && !part.isEmpty(); part = Findings.parent(part)) {
            var other = included.get(part);
            if (other != null) {
                return other;
            }
        }
        return null;
    }

    /** The file says something at this path. */
    public boolean has(String path) {
        var other = elsewhere(path);
        return other == null ? places.containsKey(path) : other.has(path);
    }

    /** Null for a path that the file does not have. */
    @Nullable
    Node value(String path) {
        var place = places.get(path);
        return place == null ? null : place.value();
    }

    /** The value where it is a text, else its key; for a path that the file leaves out, the nearest that holds it. The document is its first key. */
    public Where of(String path) {
        var other = elsewhere(path);
        if (other != null) {
            return other.of(path);
        }
        for (String part = path; !part.isEmpty(); part = Findings.parent(part)) {
            var place = places.get(part);
            if (place != null) {
                boolean showsValue = part.equals(path) && place.value() instanceof ScalarNode;
                var node = showsValue || place.key() == null ? place.value() : place.key();
                return source.at(node, path);
            }
        }
        var document = places.get("");
        if (document != null) {
            return source.at(document.value(), path);
        }
        var file = source.whole();
        return new Where(file.file(), file.line(), file.column(), file.length(), path, file.text());
    }

    /** Where the key of this path begins, in code points from the start of the text; -1 without a key. */
    int keyStart(String path) {
        var place = places.get(path);
        return place == null || place.key() == null
                ? -1
                : place.key().getStartMark().getIndex();
    }

    /** The key of this path. */
    public Where ofKey(String path) {
        var other = elsewhere(path);
        if (other != null) {
            return other.ofKey(path);
        }
        var place = places.get(path);
        return place == null || place.key() == null ? of(path) : source.at(place.key(), path);
    }
}
