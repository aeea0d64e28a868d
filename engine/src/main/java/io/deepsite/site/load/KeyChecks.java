package io.deepsite.site.load;

import io.deepsite.site.OneOf;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Checks what keys exclude and require, once the whole document is read. */
final class KeyChecks {
    private final Places places;
    private final Findings findings;
    private final Map<String, @Nullable Object> values = new HashMap<>();
    private final List<Bound> records = new ArrayList<>();

    /**
     * A rule that a record breaks.
     *
     * @param met the conditions of its keys that are met
     */
    private record Broken(KeyRule rule, Bound in, List<KeyRule.Condition> met) {}

    /** @param path in the document */
    private record Bound(Shape.Struct shape, String path) {
        String of(KeyRule.Condition condition) {
            return path.isEmpty() ? condition.name() : path + "." + condition.name();
        }
    }

    KeyChecks(Places places, Findings findings) {
        this.places = places;
        this.findings = findings;
    }

    /** @param value the default, where the document does not set the key; null for none */
    void value(String path, @Nullable Object value) {
        values.put(path, value);
    }

    void record(Shape.Struct shape, String path) {
        if (!shape.rules().isEmpty() || shape.oneOf() != null) {
            records.add(new Bound(shape, path));
        }
    }

    void run() {
        // All first: a key that breaks two rules gives two messages.
        var broken = records.stream()
                .flatMap(bound -> bound.shape().rules().stream().flatMap(rule -> broken(rule, bound)))
                .toList();
        broken.forEach(this::report);
        for (var bound : records) {
            var oneOf = bound.shape().oneOf();
            if (oneOf != null) {
                check(oneOf, bound);
            }
        }
    }

    private Stream<Broken> broken(KeyRule rule, Bound in) {
        var met = rule.keys().stream().filter(key -> isMet(key, in)).toList();
        return rule.excludes() != met.isEmpty()
                        && isMet(rule.subject(), in)
                        && rule.when().stream().allMatch(condition -> isMet(condition, in))
                        && isSound(rule.conditions(), in)
                ? Stream.of(new Broken(rule, in, met))
                : Stream.empty();
    }

    private void report(Broken broken) {
        var rule = broken.rule();
        findings.fault(
                rule.code(),
                places.ofKey(broken.in().of(rule.subject())),
                rule.what(broken.met()),
                rule.remedy(broken.met(), broken.in().shape()),
                rule.commands().toArray(String[]::new));
    }

    private void check(OneOf oneOf, Bound in) {
        var keys = KeyRule.conditions(oneOf.value());
        if (keys.stream().noneMatch(key -> isMet(key, in)) && isSound(keys.stream(), in)) {
            findings.faultOnce(
                    oneOf.none(),
                    places.of(in.path()),
                    (oneOf.several() ? "At least one of " : "One of ")
                            + Wording.allOf(keys.stream()
                                    .map(key -> Wording.quoted(key.name()))
                                    .toList()) + " is needed. " + oneOf.why(),
                    oneOf.fix().isEmpty() ? "Add " + KeyRule.samples(keys, in.shape()) + "." : oneOf.fix());
        }
    }

    private boolean isMet(KeyRule.Condition condition, Bound in) {
        String path = in.of(condition);
        var value = values.get(path);
        return condition
                .value()
                .map(wanted -> value instanceof Collection<?> all
                        ? all.stream().map(Object::toString).anyMatch(wanted::equals)
                        : value != null && value.toString().equals(wanted))
                .orElseGet(() -> places.has(path) && isSet(value));
    }

    private static boolean isSet(@Nullable Object value) {
        return switch (value) {
            case null -> false;
            case Boolean flag -> flag;
            case Collection<?> all -> !all.isEmpty();
            case Map<?, ?> all -> !all.isEmpty();
            default -> true;
        };
    }

    private boolean isSound(Stream<KeyRule.Condition> conditions, Bound in) {
        return conditions.noneMatch(condition -> findings.isUnsound(in.of(condition)));
    }
}
