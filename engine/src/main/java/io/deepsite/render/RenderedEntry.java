package io.deepsite.render;

import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.contract.Unknowns;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** An item or action with rendered values; reads them by type and records which keys were read. */
final class RenderedEntry {
    private static final Pattern MODE = Pattern.compile("0[0-7]{3}|[0-7]{4}");
    private final RoleText source;
    private final int line;
    private final Map<String, @Nullable Object> values;
    private final Set<String> read = new HashSet<>();

    RenderedEntry(RoleText source, int line, Map<String, @Nullable Object> values) {
        this.source = source;
        this.line = line;
        this.values = values;
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    Optional<Object> value(String key) {
        read.add(key);
        return Optional.ofNullable(values.get(key));
    }

    /** Text or a number as text; empty text counts as absent. */
    Optional<String> text(String key) {
        return value(key).map(value -> {
            if (value instanceof String || value instanceof Integer || value instanceof Long) {
                return value.toString();
            }
            throw fault("`" + key + "` is a text, not " + value + ".");
        });
    }

    String needed(String key) {
        return text(key).filter(text -> !text.isEmpty()).orElseThrow(() -> fault("`" + key + "` is missing or empty."));
    }

    String path(String key) {
        var path = needed(key);
        if (!path.startsWith("/")
                || path.contains("//")
                || path.contains("/../")
                || path.endsWith("/..")
                || path.contains("\n")) {
            throw fault("`" + key + ": " + path + "` is not an absolute path, or contains // or /../.");
        }
        return path;
    }

    String mode(String byDefault) {
        read.add("mode");
        var mode = values.get("mode");
        if (mode == null && !has("mode")) {
            return byDefault;
        }
        if (mode instanceof String text && MODE.matcher(text).matches()) {
            return text;
        }
        throw fault("`mode` is four octal digits in quotes, such as \"0644\".");
    }

    boolean flag(String key, boolean byDefault) {
        return value(key)
                .map(value -> {
                    if (value instanceof Boolean flag) {
                        return flag;
                    }
                    throw fault("`" + key + "` is true or false.");
                })
                .orElse(byDefault);
    }

    Optional<Integer> number(String key) {
        return value(key).map(value -> {
            if (value instanceof Integer number) {
                return number;
            }
            throw fault("`" + key + "` is a whole number.");
        });
    }

    List<String> texts(String key) {
        return value(key)
                .map(value -> {
                    if (value instanceof List<?> list
                            && list.stream()
                                    .allMatch(e -> e instanceof String || e instanceof Integer || e instanceof Long)) {
                        return list.stream().map(String::valueOf).toList();
                    }
                    throw fault("`" + key + "` is a list of texts.");
                })
                .orElse(List.of());
    }

    /** Call it last: an unread key is an error. */
    void allRead(String what) {
        var rest = new TreeSet<>(values.keySet());
        rest.removeAll(read);
        if (!rest.isEmpty()) {
            throw fault("`" + String.join("`, `", rest) + "` is not known for " + what + ".");
        }
    }

    void withoutSecret() {
        if (!Marker.secretsIn(values.toString()).isEmpty()) {
            throw fault("Only a file may hold a secret.");
        }
    }

    /**
     * @param leftAlone which texts of the item or action are never filled in; asked only if there is a fact at all: the
     *     first {@code toString} of each record takes milliseconds
     */
    void factsTold(List<Item.Unknown> unknowns, Supplier<String> leftAlone, String places) {
        boolean any = !Marker.unknownsIn(values.toString()).isEmpty();
        if (any && !Marker.unknownsIn(leftAlone.get()).isEmpty()) {
            throw fault("This holds a fact that is known only once the machine exists. Such a fact may be in " + places
                    + ", but not in a name.");
        }
        for (var unknown : unknowns) {
            if (!Unknowns.FACTS.contains(unknown.fact())) {
                throw fault("There is no fact " + unknown.fact() + " of a machine; there is "
                        + String.join(", ", Unknowns.FACTS.stream().sorted().toList()) + ".");
            }
        }
    }

    Failure fault(String why) {
        return new Failure(Diagnostic.error(
                Code.CONTRACT_INVALID, source.where(line), why, "docs/adr/0002-contracts.md is the format."));
    }
}
