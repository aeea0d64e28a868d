package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.diag.Nearest;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/** The keys of one map: read, and compared with those it may have. */
final class Keys {
    private static final Set<Tag> ORDINARY =
            Set.of(Tag.MAP, Tag.SEQ, Tag.STR, Tag.INT, Tag.FLOAT, Tag.BOOL, Tag.NULL, Tag.TIMESTAMP, Tag.MERGE);

    static final String SITE = "a site";

    private final String what;
    private final Homes homes;
    private final Set<String> proposed = new HashSet<>();
    private final SourceText source;
    private final Places places;
    private final Findings findings;

    /** Where a key belongs that is found in the wrong place. */
    interface Homes {
        Homes NONE = (_, _) -> Optional.empty();

        /**
         * What to do with it, as a sentence; empty if nothing is known of it.
         *
         * @param path of the map that does not have the key
         */
        Optional<String> hint(String key, String path);
    }

    /** @param what the document is */
    Keys(SourceText source, Places places, Findings findings, String what, Homes homes) {
        this.what = what;
        this.homes = homes;
        this.source = source;
        this.places = places;
        this.findings = findings;
    }

    /** Keys with their values in the order of the file. Of a key that occurs twice, the first counts. */
    Map<String, Node> of(MappingNode mapping, String path) {
        var entries = new LinkedHashMap<String, Node>();
        var lines = new LinkedHashMap<String, Integer>();
        for (var tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                findings.fault(
                        Code.YAML_FEATURE,
                        source.at(tuple.getKeyNode(), path),
                        "A key is one word; this one is a collection.",
                        "If this was meant as text, put it in \"quotes\".");
                continue;
            }
            String name = key.getValue();
            String keyPath = path.isEmpty() ? Wording.safe(name) : path + "." + Wording.safe(name);
            if (key.getTag().equals(Tag.MERGE)) {
                findings.fault(
                        Code.YAML_FEATURE,
                        source.at(key, keyPath),
                        "The merge key << hides where a value comes from.",
                        "Write the keys out; a whole value may be repeated with an alias (*name).");
                // What it would have brought is not missing.
                findings.markUnsound(path);
                continue;
            }
            var first = lines.putIfAbsent(name, key.getStartMark().getLine() + 1);
            if (first != null) {
                findings.fault(
                        Code.DUPLICATE_KEY,
                        source.at(key, keyPath),
                        Wording.quoted(name) + " is already in line " + first + ".",
                        "Keep one of the two.");
                continue;
            }
            entries.put(name, tuple.getValueNode());
            places.put(keyPath, key, tuple.getValueNode());
        }
        return entries;
    }

    void reportUnknown(Collection<String> written, Shape.Struct shape, String path) {
        var known = shape.fields().stream().map(Field::key).collect(Collectors.toCollection(LinkedHashSet::new));
        String takes = "It takes "
                + Wording.allOf(shape.fields().stream()
                        .filter(f -> !f.notYet())
                        .map(Field::key)
                        .toList())
                + ".";
        for (String key : written) {
            if (known.contains(key)) {
                continue;
            }
            String keyPath = path.isEmpty() ? Wording.safe(key) : path + "." + Wording.safe(key);
            var near = Nearest.to(key, known);
            findings.fault(
                    Code.UNKNOWN_KEY,
                    places.ofKey(keyPath),
                    Wording.quoted(key) + " is not a key of " + (path.isEmpty() ? what : path) + ".",
                    near.map(n -> "Did you mean " + Wording.quoted(n) + "?")
                            .or(() -> homes.hint(key, path))
                            .orElse(takes));
            // Most likely that key was meant, so it is not missing.
            near.ifPresent(n -> findings.markUnsound(path.isEmpty() ? n : path + "." + n));
        }
    }

    void reportMissing(Field field, String path) {
        String sample = field.sample().isEmpty() ? "" : " " + (field.distinct() ? free(field, path) : field.sample());
        var oneOf = field.shape() instanceof Shape.Struct struct ? struct.oneOf() : null;
        findings.fault(
                Code.MISSING_KEY,
                places.of(path),
                Wording.quoted(field.key()) + " is needed here. " + field.about(),
                "Add \"" + field.key() + ":" + sample + "\""
                        + (oneOf == null ? "" : " with " + Wording.anyOf(List.of(oneOf.value()))) + ".");
    }

    /** A number that no other entry of the map has, and that was proposed for none. */
    private long free(Field field, String path) {
        var entries = places.value(Findings.parent(Findings.parent(path)));
        var taken = entries instanceof MappingNode map ? values(map, field.key()) : Set.<String>of();
        long number = Long.parseLong(field.sample());
        while (taken.contains(Long.toString(number)) || !proposed.add(field.key() + " " + number)) {
            number++;
        }
        return number;
    }

    private static Set<String> values(MappingNode entries, String key) {
        return entries.getValue().stream()
                .flatMap(entry ->
                        entry.getValueNode() instanceof MappingNode inside ? inside.getValue().stream() : Stream.of())
                .filter(tuple -> tuple.getKeyNode() instanceof ScalarNode name
                        && name.getValue().equals(key))
                .flatMap(tuple ->
                        tuple.getValueNode() instanceof ScalarNode value ? Stream.of(value.getValue()) : Stream.of())
                .collect(Collectors.toSet());
    }

    /** Tags such as {@code !!python/object} or {@code !vault}: nothing in site.yaml has one. */
    boolean isRefused(Node node, String path) {
        if (ORDINARY.contains(node.getTag())) {
            return false;
        }
        findings.fault(
                Code.YAML_FEATURE,
                places.of(path),
                "The value carries the tag " + Wording.quoted(node.getTag().getValue()) + "; no value here has one.",
                "Remove the tag, or put a text that begins with ! in \"quotes\".");
        return true;
    }
}
