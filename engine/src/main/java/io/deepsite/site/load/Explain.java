package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Nearest;
import io.deepsite.diag.Where;
import io.deepsite.site.ChangeImpact;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Describes any key of site.yaml: {@code machines.gpus}, {@code clusters.<kind>.<key>}, {@code provider.<name>.<key>}. */
public final class Explain {

    /**
     * One key.
     *
     * @param path with {@code <name>} where the user chooses a name, and {@code []} for the entries of a list
     * @param type with its unit or range
     * @param excludes keys, with the values that do; also those that say so of this one
     * @param requires each entry is a key that it needs, or several with "or", perhaps under a condition
     * @param enforced false for a key that this version knows and refuses
     * @param children the keys below it
     * @param ask where several kinds of cluster have it, or its keys depend on the kind: the paths that mean that of one kind
     */
    public record Explanation(
            String path,
            String type,
            String about,
            Optional<String> defaultValue,
            boolean required,
            Optional<String> example,
            ChangeImpact impact,
            List<String> excludes,
            List<String> requires,
            boolean enforced,
            List<Child> children,
            List<String> ask) {

        public Explanation {
            excludes = List.copyOf(excludes);
            requires = List.copyOf(requires);
            children = List.copyOf(children);
            ask = List.copyOf(ask);
        }

        /** For a terminal; ends with a line break. */
        public String text() {
            var out = new StringBuilder(path).append("\n  ").append(about).append("\n\n");
            line(out, "type", type);
            line(out, "default", defaultValue.orElse(required ? "none; it is required" : "none; it may be left out"));
            line(out, "a change", impact.meaning());
            example.ifPresent(text -> line(out, "example", text));
            if (!excludes.isEmpty()) {
                line(out, "excludes", String.join(", ", excludes));
            }
            requires.forEach(text -> line(out, "requires", text));
            if (!enforced) {
                line(out, "refused", "this version knows the key and does not enforce it");
            }
            if (!ask.isEmpty()) {
                out.append("\n  It depends on the cluster's kind. With --site FILE a cluster's name tells it; else:\n");
                ask.forEach(
                        path -> out.append("    deepsite explain ").append(path).append('\n'));
            }
            if (!children.isEmpty()) {
                list(out);
            }
            return out.toString();
        }

        private void list(StringBuilder out) {
            int width = children.stream()
                    .mapToInt(child -> child.key().length())
                    .max()
                    .orElse(0);
            out.append("\n  below it (* required):\n");
            for (var child : children) {
                out.append(child.required() ? "  * " : "    ")
                        .append(child.key())
                        .append(" ".repeat(width - child.key().length() + 2))
                        .append(child.about())
                        .append('\n');
            }
        }

        private static void line(StringBuilder out, String label, String text) {
            out.append("  ")
                    .append(label)
                    .append(" ".repeat(10 - label.length()))
                    .append(text)
                    .append('\n');
        }
    }

    /**
     * A key one level below.
     *
     * @param kind of the clusters that have it; empty for any
     */
    public record Child(String key, Optional<String> kind, String type, String about, boolean required) {}

    private Explain() {}

    /**
     * @param path empty for the whole file
     * @throws Failure for a path that does not exist, with the nearest that does
     */
    public static Explanation of(SiteModel model, String path) {
        return of(model, path, Map.of());
    }

    /** @param kinds of clusters by name: {@code clusters.hpc} is one of its kind */
    public static Explanation of(SiteModel model, String path, Map<String, String> kinds) {
        var all = new Catalogue(model);
        var asked =
                new ArrayList<>(Arrays.asList(path.replaceAll("\\[[^]]*]", "").split("\\.")));
        asked.removeIf(String::isBlank);
        boolean inCluster = asked.size() > 1 && asked.getFirst().equals("clusters");
        if (inCluster) {
            asked.set(1, kinds.getOrDefault(asked.get(1), asked.get(1)));
        }
        var catalogue = inCluster && model.kinds().contains(asked.get(1)) ? all.ofKind(asked.get(1)) : all;
        if (asked.isEmpty()) {
            return site(catalogue);
        }
        var entry = catalogue.find(asked).orElseThrow(() -> unknown(catalogue, path, asked));
        if (entry.kind().isEmpty() && isOfAnyKind(entry.shape())) {
            return explanation(
                    entry,
                    List.of(),
                    model.kinds().stream().map(kind -> "clusters." + kind).toList());
        }
        var having = catalogue.kindsOf(asked);
        if (having.size() > 1) {
            return ofSeveralKinds(entry, having);
        }
        var children = catalogue.children(entry);
        if (!entry.isField() && !entry.text().endsWith("." + asked.getLast())) {
            // The last word was taken for a name; it may be a misspelt key.
            var keys = children.stream().map(child -> child.path().getLast()).toList();
            if (Nearest.to(asked.getLast(), keys).isPresent()) {
                throw unknown(catalogue, path, asked);
            }
        }
        return explanation(entry, children, List.of());
    }

    private static boolean isOfAnyKind(Shape shape) {
        return switch (shape) {
            case Shape.Choice choice -> choice.byKind();
            case Shape.Mapping map -> isOfAnyKind(map.value());
            case Shape.Scalar _, Shape.Listing _, Shape.Struct _ -> false;
        };
    }

    /** Each kind's own text is behind its own path: what is said of one is wrong for another. */
    private static Explanation ofSeveralKinds(Catalogue.Entry entry, List<String> kinds) {
        var below = entry.path().subList(2, entry.path().size()).stream()
                .filter(segment -> !segment.startsWith("<"))
                .map(segment -> segment.replace("[]", ""))
                .collect(Collectors.joining("."));
        return new Explanation(
                entry.text(),
                entry.isField() ? TypeName.of(entry.field()) : "map of keys",
                "Clusters of kind " + Wording.allOf(kinds) + " have it.",
                Optional.empty(),
                false,
                Optional.empty(),
                entry.field().impact(),
                List.of(),
                List.of(),
                true,
                List.of(),
                kinds.stream().map(kind -> "clusters." + kind + "." + below).toList());
    }

    /** Every path there is, for completion in a shell. */
    public static List<String> paths(SiteModel model) {
        return new Catalogue(model)
                .entries().stream()
                        .map(entry -> entry.text().replace("[]", ""))
                        .distinct()
                        .toList();
    }

    private static Explanation site(Catalogue catalogue) {
        var top = catalogue.entries().stream()
                .filter(entry -> entry.path().size() == 1)
                .map(Explain::child)
                .toList();
        return new Explanation(
                "site.yaml",
                "map of keys",
                "One site: its machines, the clusters on them, its users.",
                Optional.empty(),
                true,
                Optional.empty(),
                ChangeImpact.NOTHING,
                List.of(),
                List.of(),
                true,
                top,
                List.of());
    }

    private static Explanation explanation(Catalogue.Entry entry, List<Catalogue.Entry> children, List<String> ask) {
        var field = entry.field();
        boolean isField = entry.isField();
        return new Explanation(
                entry.text(),
                isField ? TypeName.of(field) : "map of keys",
                entry.kind().isPresent() && !isField
                        ? "A cluster of kind " + entry.kind().get() + "."
                        : field.about(),
                Optional.of(field.defaultValue()).filter(text -> isField && !text.isEmpty()),
                isField && field.needed(),
                Optional.of(field.example()).filter(text -> isField && !text.isEmpty()),
                field.impact(),
                isField ? entry.excludes() : List.of(),
                isField ? entry.requires() : List.of(),
                !field.notYet(),
                children.stream().map(Explain::child).toList(),
                ask);
    }

    private static Child child(Catalogue.Entry entry) {
        String key = entry.path().getLast();
        return entry.isField()
                ? new Child(
                        key,
                        entry.kind(),
                        TypeName.of(entry.field()),
                        entry.field().about(),
                        entry.field().needed())
                : new Child(key, entry.kind(), "map of keys", "", false);
    }

    private static Failure unknown(Catalogue catalogue, String path, List<String> asked) {
        int known = asked.size() - 1;
        while (known > 0 && catalogue.find(asked.subList(0, known)).isEmpty()) {
            known--;
        }
        var keys = known == 0
                ? site(catalogue).children().stream().map(Child::key).toList()
                : catalogue.children(catalogue.find(asked.subList(0, known)).orElseThrow()).stream()
                        .map(entry -> entry.path().getLast())
                        .distinct()
                        .toList();
        String wrong = asked.get(known);
        String parent = known == 0 ? "a site" : String.join(".", asked.subList(0, known));
        return new Failure(Diagnostic.error(
                Code.UNKNOWN_KEY,
                Where.file("explain " + Wording.safe(path)),
                Wording.quoted(wrong) + " is not a key of " + Wording.safe(parent) + ".",
                Wording.didYouMean(
                        wrong,
                        keys,
                        keys.isEmpty() ? "There is nothing below it." : "It has " + Wording.allOf(keys) + ".")));
    }
}
