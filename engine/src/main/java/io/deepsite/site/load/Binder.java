package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.diag.Where;
import io.deepsite.site.Name;
import io.deepsite.site.Parameter;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * Turns nodes into the records of the model, and reports whatever does not fit. What cannot be read is replaced by a
 * stand-in of the right type, marked unsound, so that the meaning of the rest can still be checked; a site with a fault
 * is never handed out.
 */
final class Binder {
    private static final String PARAMETERS = "parameters";
    /** Characters of one value. */
    private static final int LONGEST = 64 * 1024;
    /** Of one that has to match a pattern: some take a place on the stack for each repetition. */
    static final int LONGEST_WITH_PATTERN = 4 * 1024;

    private final String what;
    private final Places places;
    private final Findings findings;
    private final Keys keys;
    private final ShapeFaults faults;
    private final KeyChecks checks;
    private final Confinement confinement;
    private @Nullable Map<Name, Parameter> declared;
    private @Nullable Parameters parameters;

    Binder(
            SourceText source,
            Places places,
            Findings findings,
            String what,
            Keys.Homes homes,
            Confinement confinement) {
        this.confinement = confinement;
        this.places = places;
        this.findings = findings;
        this.what = what;
        this.keys = new Keys(source, places, findings, what, homes);
        this.faults = new ShapeFaults(places, findings);
        this.checks = new KeyChecks(places, findings);
    }

    /** Null, with the fault reported, when the document is no map of keys. */
    @Nullable
    Site site(Shape.Struct shape, Node root, Map<String, String> set) {
        return (Site)
                document(shape, root, set, "site: quickstart", "`deepsite init` writes a site.yaml to start from.");
    }

    /** The same for a file of another kind. */
    @Nullable
    Object document(Shape.Struct shape, Node root, Map<String, String> set, String such, String fix) {
        places.put("", null, root);
        if (keys.isRefused(root, "")) {
            return null;
        }
        if (!(root instanceof MappingNode mapping)) {
            findings.fault(
                    Code.WRONG_TYPE,
                    places.of(""),
                    Wording.capital(what) + " is a map of keys, such as " + Wording.quoted(such) + "; this is "
                            + ShapeFaults.kindOf(root) + ".",
                    fix);
            return null;
        }
        declared = declared(shape, mapping);
        parameters = Parameters.resolve(declared, set, findings, places);
        var bound = struct(shape, mapping, "");
        checks.run();
        return bound;
    }

    Map<String, String> parameterValues() {
        return parameters == null ? Map.of() : parameters.values();
    }

    /** Parameters are read before anything that may use them. */
    @SuppressWarnings("unchecked")
    private Map<Name, Parameter> declared(Shape.Struct shape, MappingNode root) {
        var of = shape.fields().stream()
                .filter(field -> field.key().equals(PARAMETERS))
                .findFirst();
        for (var tuple : root.getValue()) {
            if (tuple.getKeyNode() instanceof ScalarNode key && key.getValue().equals(PARAMETERS) && of.isPresent()) {
                var field = of.get();
                places.put(PARAMETERS, key, tuple.getValueNode());
                var bound = value(field.shape(), field, tuple.getValueNode(), PARAMETERS);
                return bound == null ? Map.of() : (Map<Name, Parameter>) bound;
            }
        }
        return Map.of();
    }

    /** Null when nothing can be made of the node; the fault is reported then. */
    private @Nullable Object value(Shape shape, Field field, Node node, String path) {
        if (keys.isRefused(node, path) || faults.hasNoValue(field, shape, node, path)) {
            return null;
        }
        return switch (shape) {
            case Shape.Scalar scalar -> scalar(scalar, field, node, path);
            case Shape.Listing list -> list(list, field, node, path);
            case Shape.Mapping map -> map(map, field, node, path);
            case Shape.Struct struct ->
                node instanceof MappingNode mapping
                        ? struct(struct, mapping, path)
                        : faults.wrongType(
                                node,
                                path,
                                "a map of keys",
                                "Its keys are " + Wording.allOf(ShapeFaults.namesOf(struct)) + ".");
            case Shape.Choice choice -> choice(choice, node, path);
        };
    }

    private @Nullable Object scalar(Shape.Scalar shape, Field field, Node node, String path) {
        if (!(node instanceof ScalarNode scalar)) {
            String sample = field.sample();
            return faults.wrongType(
                    node, path, "one value", sample.isEmpty() ? "" : "Write one, such as " + sample + ".");
        }
        String written = scalar.getValue();
        var where = places.of(path);
        int longest = field.pattern().isEmpty() ? LONGEST : LONGEST_WITH_PATTERN;
        if (written.length() > longest) {
            findings.fault(
                    Code.NOT_ACCEPTED,
                    where,
                    "The value has " + written.length() + " characters; no value of this key needs more than " + longest
                            + ".",
                    "Write a shorter one.");
            return null;
        }
        if (written.codePoints().anyMatch(Wording::isControl)) {
            boolean lineBreak = written.contains("\n");
            findings.fault(
                    Code.CONTROL_CHARACTER,
                    where,
                    "The value holds " + (lineBreak ? "a line break." : "a character that cannot be seen."),
                    lineBreak ? "Write it on one line." : "Remove it.");
            return null;
        }
        boolean plain = scalar.isPlain() || written.startsWith("${");
        var filled = parameters == null ? withoutParameter(written, where) : parameters.fill(written, where);
        if (filled.isEmpty()) {
            return null;
        }
        try {
            return Values.parse(shape.type(), field, filled.get(), plain);
        } catch (Values.Refused refused) {
            String origin = filled.get().equals(written) ? "" : " It comes from " + written + ".";
            var code = path.equals("apiVersion") ? Code.API_VERSION : refused.code();
            findings.fault(code, where, refused.why() + origin, refused.fix());
            return null;
        }
    }

    private Optional<String> withoutParameter(String written, Where where) {
        if (!written.contains("${")) {
            return Optional.of(written);
        }
        findings.fault(
                Code.PARTIAL_PARAMETER,
                where,
                "A parameter is not made from other parameters.",
                "Write the value itself.");
        return Optional.empty();
    }

    private @Nullable Object list(Shape.Listing shape, Field field, Node node, String path) {
        if (!(node instanceof SequenceNode sequence)) {
            String fix = node instanceof ScalarNode scalar
                    ? "Write [" + Wording.safe(scalar.getValue()) + "]."
                    : "Begin each entry with \"- \".";
            return faults.wrongType(node, path, "a list", fix);
        }
        if (sequence.getValue().isEmpty() && field.entryNeeded()) {
            faults.noEntry(field, path);
        }
        var values = new ArrayList<Object>();
        var entries = new HashMap<Object, Integer>();
        for (int i = 0; i < sequence.getValue().size(); i++) {
            String entryPath = path + "[" + i + "]";
            var entry = sequence.getValue().get(i);
            places.put(entryPath, null, entry);
            var value = value(shape.element(), field, entry, entryPath);
            var first = value == null ? null : entries.putIfAbsent(value, i + 1);
            if (first != null) {
                findings.fault(
                        Code.DUPLICATE_ENTRY,
                        places.of(entryPath),
                        "The list holds it already, as entry " + first + ".",
                        "Remove one of the two.");
            } else if (value != null) {
                values.add(value);
            }
        }
        return values;
    }

    private @Nullable Object map(Shape.Mapping shape, Field field, Node node, String path) {
        if (!(node instanceof MappingNode mapping)) {
            return faults.wrongType(
                    node, path, "a map of names", "Write each name with a colon, and its keys below it.");
        }
        if (mapping.getValue().isEmpty() && field.entryNeeded()) {
            faults.noEntry(field, path);
        }
        var values = new LinkedHashMap<Object, Object>();
        keys.of(mapping, path).forEach((written, entry) -> {
            String entryPath = path + "." + Wording.safe(written);
            Object name;
            try {
                name = Values.parse(shape.key().type(), field, written, true);
            } catch (Values.Refused refused) {
                findings.fault(refused.code(), places.ofKey(entryPath), refused.why(), refused.fix());
                return;
            }
            var value = value(shape.value(), field, entry, entryPath);
            if (value == null && shape.value() instanceof Shape.Struct struct) {
                value = Records.standIn(struct);
            }
            if (value != null) {
                values.put(name, value);
            }
        });
        return values;
    }

    private @Nullable Object choice(Shape.Choice choice, Node node, String path) {
        var names = choice.cases().names();
        if (!(node instanceof MappingNode mapping)) {
            boolean named = node instanceof ScalarNode scalar && names.contains(scalar.getValue());
            return faults.wrongType(
                    node,
                    path,
                    "a map of keys",
                    named
                            ? "Write {" + ((ScalarNode) node).getValue() + ": {}}."
                            : "It is one of " + Wording.anyOf(names) + ".");
        }
        return choice.byKind() ? byKind(choice, mapping, path) : byOnlyKey(choice, mapping, path);
    }

    private @Nullable Object byKind(Shape.Choice choice, MappingNode mapping, String path) {
        var names = choice.cases().names();
        for (var tuple : mapping.getValue()) {
            if (tuple.getKeyNode() instanceof ScalarNode key && key.getValue().equals("kind")) {
                String kindPath = path + ".kind";
                places.put(kindPath, key, tuple.getValueNode());
                var struct = tuple.getValueNode() instanceof ScalarNode kind
                        ? choice.cases().of(kind.getValue())
                        : null;
                if (struct != null) {
                    return struct(struct, mapping, path);
                }
                faults.unknownKind(tuple.getValueNode(), names, places.of(kindPath), path);
                return null;
            }
        }
        findings.fault(
                Code.MISSING_KEY,
                places.of(path),
                "The key \"kind\", which says what it is, is missing.",
                "Add \"kind: " + names.getFirst() + "\".");
        findings.markUnsound(path);
        return null;
    }

    private @Nullable Object byOnlyKey(Shape.Choice choice, MappingNode mapping, String path) {
        var entries = keys.of(mapping, path);
        var names = choice.cases().names();
        if (entries.size() != 1) {
            findings.fault(
                    Code.NOT_ONE_PROVIDER,
                    places.ofKey(path),
                    entries.isEmpty()
                            ? "None is named; it is one of " + Wording.anyOf(names) + "."
                            : "Here are " + entries.size() + ": " + Wording.allOf(entries.keySet()) + ".",
                    entries.isEmpty() ? "Add \"" + names.getFirst() + ": {}\"." : "Keep one of them.");
            return null;
        }
        var entry = entries.entrySet().iterator().next();
        String entryPath = path + "." + Wording.safe(entry.getKey());
        var struct = choice.cases().of(entry.getKey());
        if (struct == null) {
            findings.fault(
                    Code.UNKNOWN_KIND,
                    places.ofKey(entryPath),
                    Wording.quoted(entry.getKey()) + " is not a " + path + " that this version knows: "
                            + Wording.anyOf(names) + ".",
                    Wording.didYouMean(entry.getKey(), names, ""));
            findings.markUnsound(path);
            return null;
        }
        if (!(entry.getValue() instanceof MappingNode inner)) {
            findings.fault(
                    Code.NO_VALUE,
                    places.ofKey(entryPath),
                    "The keys of " + entry.getKey() + " are wanted after it; here is "
                            + ShapeFaults.kindOf(entry.getValue()) + ".",
                    struct.mayBeLeftOut()
                            ? "Write \"" + entry.getKey() + ": {}\" to take the default of each key."
                            : "Its keys are " + Wording.allOf(ShapeFaults.namesOf(struct)) + ".");
            findings.markUnsound(path);
            return null;
        }
        if (keys.isRefused(inner, entryPath)) {
            return null;
        }
        return struct(struct, inner, entryPath);
    }

    private Object struct(Shape.Struct shape, MappingNode mapping, String path) {
        var entries = keys.of(mapping, path);
        keys.reportUnknown(entries.keySet(), shape, path);
        var arguments = new ArrayList<@Nullable Object>();
        for (var field : shape.fields()) {
            String fieldPath = path.isEmpty() ? field.key() : path + "." + field.key();
            var node = entries.get(field.key());
            var value = fieldPath.equals(PARAMETERS) ? declared : fieldValue(field, node, fieldPath);
            if (field.header()) {
                continue;
            }
            if (value == null && !field.optional()) {
                value = Records.standIn(field);
            }
            checks.value(fieldPath, value);
            arguments.add(field.optional() ? Optional.ofNullable(value) : value);
        }
        checks.record(shape, path);
        return Records.construct(shape, arguments);
    }

    private @Nullable Object fieldValue(Field field, @Nullable Node node, String path) {
        if (node == null) {
            if (field.needed() && !findings.isUnsound(path)) {
                keys.reportMissing(field, path);
            }
            return null;
        }
        if (field.notYet()) {
            findings.fault(
                    Code.NOT_ENFORCED,
                    places.ofKey(path),
                    Wording.quoted(field.key()) + " is known, but this version of deepsite does nothing with it, and so"
                            + " refuses it.",
                    "Remove the key.");
            return null;
        }
        return confinement.refuses(field, path, places, findings) ? null : value(field.shape(), field, node, path);
    }
}
