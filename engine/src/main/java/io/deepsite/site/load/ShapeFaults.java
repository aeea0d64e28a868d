package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.diag.Where;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Reports nodes that do not fit the shape of their key. */
final class ShapeFaults {
    private final Places places;
    private final Findings findings;

    ShapeFaults(Places places, Findings findings) {
        this.places = places;
        this.findings = findings;
    }

    boolean hasNoValue(Field field, Shape shape, Node node, String path) {
        boolean isNull = node.getTag().equals(Tag.NULL);
        boolean isEmpty = node instanceof ScalarNode scalar && scalar.getValue().isBlank();
        if (!isNull && !isEmpty) {
            return false;
        }
        String instead = switch (shape) {
            case Shape.Listing _ -> "or write [] for an empty list";
            case Shape.Struct struct
            when !struct.mayBeLeftOut() -> "or give it its keys: " + Wording.allOf(namesOf(struct));
            case Shape.Mapping _, Shape.Struct _ -> "or write {} for one without keys";
            case Shape.Choice _, Shape.Scalar _ ->
                field.sample().isEmpty() ? "or give it a value" : "or give it a value, such as " + field.sample();
        };
        findings.fault(
                Code.NO_VALUE,
                places.ofKey(path),
                Wording.quoted(last(path)) + " has no value.",
                "Remove the key, " + instead + ".");
        return true;
    }

    void noEntry(Field field, String path) {
        findings.fault(
                Code.NO_ENTRY,
                places.ofKey(path),
                field.about() + " It is empty.",
                field.sample().isEmpty() ? "Add one." : "Write it as " + field.sample() + ".");
    }

    /** Null, for the value that cannot be made of it. */
    @Nullable
    Object wrongType(Node node, String path, String wanted, String fix) {
        findings.fault(
                Code.WRONG_TYPE,
                places.of(path),
                Wording.capital(wanted) + " belongs here; this is " + kindOf(node) + ".",
                fix);
        return null;
    }

    void unknownKind(Node kind, Collection<String> names, Where where, String path) {
        String written = kind instanceof ScalarNode scalar ? scalar.getValue() : "";
        findings.fault(
                Code.UNKNOWN_KIND,
                where,
                (written.isEmpty() ? "It" : Wording.quoted(written)) + " is not a kind that this version knows: "
                        + Wording.anyOf(names) + ".",
                Wording.didYouMean(written, names, ""));
        findings.markUnsound(path);
    }

    static String kindOf(Node node) {
        return switch (node) {
            case MappingNode _ -> "a map of keys";
            case SequenceNode _ -> "a list";
            case ScalarNode scalar when scalar.getTag().equals(Tag.NULL) -> "nothing";
            case ScalarNode scalar -> "the value " + Wording.quoted(scalar.getValue());
            default -> "something else";
        };
    }

    static List<String> namesOf(Shape.Struct struct) {
        return struct.fields().stream().filter(f -> !f.notYet()).map(Field::key).toList();
    }

    private static String last(String path) {
        return path.substring(path.lastIndexOf('.') + 1);
    }
}
