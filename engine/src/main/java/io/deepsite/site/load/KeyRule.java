package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.Key;
import io.deepsite.site.OneOf;
import io.deepsite.site.OtherKeys;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one key of a record asks of others, read from {@link OtherKeys} and {@link OneOf}.
 *
 * @param excludes none of {@code keys} may be met; otherwise one of them must be
 * @param subject the key that the rule belongs to, and what must hold of it
 * @param when what must hold, too
 */
record KeyRule(
        boolean excludes,
        Condition subject,
        List<Condition> when,
        List<Condition> keys,
        String why,
        String fix,
        List<String> commands,
        Code code) {

    /**
     * That a key is set, or has a value.
     *
     * @param path from the record down, one key for each level
     */
    record Condition(List<String> path, Optional<String> value) {
        /** {@code key}, {@code key.below}, {@code key=value}. */
        static Condition parse(String text) {
            var parts = text.split("=", 2);
            return new Condition(
                    List.of(parts[0].split("\\.")), parts.length < 2 ? Optional.empty() : Optional.of(parts[1]));
        }

        String key() {
            return path.getFirst();
        }

        String name() {
            return String.join(".", path);
        }

        /** As in YAML: {@code plugin: calico}; the name alone where any value will do. */
        @Override
        public String toString() {
            return value.map(text -> name() + ": " + text).orElseGet(this::name);
        }

        private String asClause() {
            return name() + value.map(text -> " is " + text).orElse(" is set");
        }
    }

    /**
     * What a key says itself.
     *
     * @param name of the key
     */
    static Stream<KeyRule> of(String name, Key key) {
        return Stream.concat(
                Arrays.stream(key.excludes()).map(keys -> of(name, keys, true, Code.NOT_TOGETHER)),
                Arrays.stream(key.requires()).map(keys -> of(name, keys, false, Code.MISSING_KEY)));
    }

    /** Each key excludes those before it. */
    static Stream<KeyRule> of(OneOf oneOf) {
        var keys = conditions(oneOf.value());
        return IntStream.range(1, oneOf.several() ? 0 : keys.size())
                .mapToObj(i -> new KeyRule(
                        true, keys.get(i), List.of(), keys.subList(0, i), oneOf.why(), "", List.of(), oneOf.both()));
    }

    private static KeyRule of(String name, OtherKeys rule, boolean excludes, Code usual) {
        var when = conditions(rule.when());
        var own =
                when.stream().filter(condition -> condition.key().equals(name)).findFirst();
        return new KeyRule(
                excludes,
                own.orElseGet(() -> Condition.parse(name)),
                when.stream()
                        .filter(condition -> !own.equals(Optional.of(condition)))
                        .toList(),
                conditions(rule.value()),
                rule.why(),
                rule.fix(),
                List.of(rule.commands()),
                rule.code().length == 0 ? usual : rule.code()[0]);
    }

    static List<Condition> conditions(String... texts) {
        return Arrays.stream(texts).map(Condition::parse).toList();
    }

    Stream<Condition> conditions() {
        return Stream.of(List.of(subject), when, keys).flatMap(List::stream);
    }

    /**
     * What is wrong, and why.
     *
     * @param met those of {@link #keys} that are met
     */
    String what(Collection<Condition> met) {
        boolean noEffect = code == Code.NO_EFFECT;
        String what = excludes
                ? (noEffect ? " has no effect with " : " excludes ") + Wording.allOf(quoted(met))
                : (noEffect ? " has no effect without " : " requires ") + Wording.anyOf(quoted(keys));
        return quoted(List.of(subject)).getFirst() + what + "." + (why.isEmpty() ? "" : " " + why);
    }

    /**
     * What to do about it.
     *
     * @param record that holds the keys
     */
    String remedy(Collection<Condition> met, Shape.Struct record) {
        if (!fix.isEmpty()) {
            return fix;
        }
        var all = Stream.concat(Stream.of(subject), met.stream()).toList();
        if (excludes) {
            return code == Code.NO_EFFECT
                    ? "Remove " + Wording.anyOf(quoted(all)) + "."
                    : "Keep one of " + Wording.allOf(quoted(all)) + ".";
        }
        return "Add " + samples(keys, record) + ", or " + (subject.value().isPresent() ? "change " : "remove ")
                + Wording.quoted(subject.name()) + ".";
    }

    /** As site.yaml could have them: {@code "device: eno2" or "vlan: 42"}. */
    static String samples(List<Condition> keys, Shape.Struct record) {
        return Wording.anyOf(keys.stream()
                .map(key -> {
                    String sample = key.value().isPresent() ? "" : sample(record.field(key.path()));
                    return Wording.quoted(sample.isEmpty() ? key.toString() : key.name() + ": " + sample);
                })
                .toList());
    }

    private static String sample(@Nullable Field field) {
        if (field == null) {
            return "";
        }
        return field.isFlag() ? "true" : field.sample();
    }

    /** What excludes the key, or what it requires, for its description: {@code manifest if plugin is calico}. */
    List<String> asked(String key) {
        var own = subject.equals(Condition.parse(key)) ? List.<String>of() : List.of(subject.asClause());
        return !subject.key().equals(key)
                ? List.of()
                : (excludes ? keys.stream().map(Condition::toString) : Stream.of(Wording.anyOf(keys)))
                        .map(asked -> given(asked, own))
                        .toList();
    }

    /** The subject, where it excludes the key. */
    Optional<String> excluding(String key) {
        var own = keys.stream()
                .filter(other -> excludes && other.key().equals(key))
                .toList();
        boolean anyValue = own.equals(List.of(Condition.parse(key)));
        return own.isEmpty()
                ? Optional.empty()
                : Optional.of(given(
                        subject.toString(),
                        anyValue
                                ? List.of()
                                : List.of(Wording.anyOf(
                                        own.stream().map(Condition::asClause).toList()))));
    }

    private String given(String what, List<String> clause) {
        var clauses = Stream.concat(clause.stream(), when.stream().map(Condition::asClause))
                .toList();
        return what + (clauses.isEmpty() ? "" : " if " + Wording.allOf(clauses));
    }

    private static List<String> quoted(Collection<Condition> conditions) {
        return conditions.stream()
                .map(condition -> Wording.quoted(condition.toString()))
                .toList();
    }
}
