package io.deepsite.site.load;

import io.deepsite.site.OneOf;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Every place of site.yaml as one list, in the order of the model: what {@code explain} and the reference page print.
 * Names that the user chooses read {@code <name>}, entries of a list {@code []}.
 */
final class Catalogue {
    private static final String NAME = "<name>";

    /**
     * @param kind the kind of cluster that has this key; empty for any
     * @param field the key; of {@code machines.<name>} that of {@code machines}
     * @param shape what it holds
     * @param rules of the record that has this key
     */
    record Entry(List<String> path, Optional<String> kind, Field field, Shape shape, List<KeyRule> rules) {
        String text() {
            return String.join(".", path);
        }

        boolean isField() {
            return !path.isEmpty() && bare(path.getLast()).equals(field.key());
        }

        /** What excludes the key: keys, with the values that do. */
        List<String> excludes() {
            return Stream.concat(
                            rules.stream().filter(KeyRule::excludes).flatMap(rule -> rule.asked(field.key()).stream()),
                            rules.stream().flatMap(rule -> rule.excluding(field.key()).stream()))
                    .distinct()
                    .toList();
        }

        /** What the key requires, and which keys below it. */
        List<String> requires() {
            return Stream.concat(
                            rules.stream()
                                    .filter(rule -> !rule.excludes())
                                    .flatMap(rule -> rule.asked(field.key()).stream()),
                            Stream.ofNullable(oneOf())
                                    .map(oneOf -> (shape instanceof Shape.Listing ? "in each entry " : "")
                                            + (oneOf.several() ? "at least one" : "one") + " of "
                                            + Wording.allOf(List.of(oneOf.value()))))
                    .toList();
        }

        private @Nullable OneOf oneOf() {
            return switch (shape) {
                case Shape.Struct struct -> struct.oneOf();
                case Shape.Listing(Shape.Struct struct) -> struct.oneOf();
                default -> null;
            };
        }
    }

    private final List<Entry> entries = new ArrayList<>();

    Catalogue(SiteModel model) {
        add(List.of(), Optional.empty(), model.site());
    }

    private Catalogue(List<Entry> entries) {
        this.entries.addAll(entries);
    }

    /** Without what only clusters of other kinds have. */
    Catalogue ofKind(String kind) {
        return new Catalogue(entries.stream()
                .filter(entry -> entry.kind().map(kind::equals).orElse(true))
                .toList());
    }

    List<Entry> entries() {
        return entries;
    }

    /** The entry that a path such as {@code machines.gpus} or {@code clusters.hpc.compute} means. */
    Optional<Entry> find(List<String> asked) {
        return best(asked).stream().findFirst();
    }

    /** The kinds of cluster that have what a path means; none for what is not a cluster's. */
    List<String> kindsOf(List<String> asked) {
        return best(asked).stream()
                .flatMap(entry -> entry.kind().stream())
                .distinct()
                .toList();
    }

    private List<Entry> best(List<String> asked) {
        var best = new ArrayList<Entry>();
        int most = 0;
        for (var entry : entries) {
            int literal = matched(entry, asked, 0, 0);
            if (literal > most) {
                best.clear();
                most = literal;
            }
            if (literal >= 0 && literal == most) {
                best.add(entry);
            }
        }
        return best;
    }

    /** The keys one level below, each once for every kind that has it. */
    List<Entry> children(Entry parent) {
        int depth = parent.path().size() + (names(parent.shape()) ? 2 : 1);
        var keys = new HashSet<String>();
        return entries.stream()
                .filter(entry -> entry.path().size() == depth
                        && bareAll(entry.path())
                                .subList(0, parent.path().size())
                                .equals(bareAll(parent.path()))
                        && !entry.path().getLast().equals(NAME)
                        && (parent.kind().isEmpty() || entry.kind().equals(parent.kind()))
                        && keys.add(entry.kind() + entry.path().getLast()))
                .toList();
    }

    /**
     * A place that has a key.
     *
     * @param path such as {@code clusters.<name>}
     * @param kind the kind of cluster that has it there; empty for any
     */
    record Home(List<String> path, Optional<String> kind) {
        String text() {
            return String.join(".", path);
        }
    }

    /** The places below the site itself that have a key and do something with it. */
    List<Home> homes(String key) {
        var refused = entries.stream()
                .filter(entry -> entry.isField() && entry.field().notYet())
                .map(Entry::path)
                .toList();
        return entries.stream()
                .filter(entry -> entry.isField()
                        && entry.path().size() > 1
                        && entry.field().key().equals(key))
                .filter(entry -> refused.stream().noneMatch(path -> begins(entry.path(), path)))
                .map(entry -> new Home(entry.path().subList(0, entry.path().size() - 1), entry.kind()))
                .distinct()
                .toList();
    }

    private static boolean begins(List<String> path, List<String> start) {
        return path.size() >= start.size()
                && bareAll(path).subList(0, start.size()).equals(bareAll(start));
    }

    /** How many of the asked segments are literally in the entry's path; -1 when it is another. A name may be left out. */
    private static int matched(Entry entry, List<String> asked, int at, int next) {
        if (at == entry.path().size()) {
            return next == asked.size() ? 0 : -1;
        }
        String segment = bare(entry.path().get(at));
        if (segment.equals(NAME)) {
            int skipped = matched(entry, asked, at + 1, next);
            int taken = next < asked.size() ? matched(entry, asked, at + 1, next + 1) : -1;
            boolean namesKind = next < asked.size()
                    && entry.kind().isPresent()
                    && entry.kind().get().equals(asked.get(next));
            return Math.max(skipped, taken < 0 || !namesKind ? taken : taken + 1);
        }
        if (next == asked.size() || !segment.equals(asked.get(next))) {
            return -1;
        }
        int rest = matched(entry, asked, at + 1, next + 1);
        return rest < 0 ? -1 : rest + 2;
    }

    private static boolean names(Shape shape) {
        return shape instanceof Shape.Mapping;
    }

    private static String bare(String segment) {
        return segment.endsWith("[]") ? segment.substring(0, segment.length() - 2) : segment;
    }

    private static List<String> bareAll(List<String> path) {
        return path.stream().map(Catalogue::bare).toList();
    }

    private void below(List<String> path, Optional<String> kind, Shape shape, Field field) {
        switch (shape) {
            case Shape.Scalar _ -> {}
            case Shape.Listing list ->
                below(with(path.subList(0, path.size() - 1), path.getLast() + "[]"), kind, list.element(), field);
            case Shape.Mapping map -> {
                var named = with(path, NAME);
                entries.add(new Entry(named, kind, field, map.value(), List.of()));
                below(named, kind, map.value(), field);
            }
            case Shape.Choice choice ->
                choice.cases().forEach((name, struct) -> {
                    var inside = choice.byKind() ? path : with(path, name);
                    var of = choice.byKind() ? Optional.of(name) : kind;
                    entries.add(new Entry(inside, of, field, struct, List.of()));
                    below(inside, of, struct, field);
                });
            case Shape.Struct struct -> add(path, kind, struct);
        }
    }

    private void add(List<String> parent, Optional<String> kind, Shape.Struct struct) {
        for (var key : struct.fields()) {
            var path = with(parent, key.key());
            entries.add(new Entry(path, kind, key, key.shape(), struct.rules()));
            below(path, kind, key.shape(), key);
        }
    }

    private static List<String> with(List<String> path, String segment) {
        var longer = new ArrayList<>(path);
        longer.add(segment);
        return List.copyOf(longer);
    }
}
