package io.deepsite.opennebula;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.w3c.dom.Element;

/** One object of the stand-in, with the template that made it. Stored on disk in this form. */
final class StandInThing implements Serializable {
    private static final long serialVersionUID = 1;

    /** An attribute: a text, or a vector of texts. */
    record Attribute(String name, String text, TreeMap<String, String> vector) implements Serializable {
        private static final long serialVersionUID = 1;

        String xml() {
            if (vector.isEmpty()) {
                return StandInThing.xml(name, text);
            }
            var inside = new StringBuilder();
            vector.forEach((key, value) -> inside.append(StandInThing.xml(key, value)));
            return "<" + name + ">" + inside + "</" + name + ">";
        }
    }

    final int id;
    String name;
    /** Fields outside the template: STATE, LCM_STATE, SIZE … */
    final LinkedHashMap<String, String> fields = new LinkedHashMap<>();

    ArrayList<Attribute> template = new ArrayList<>();
    /** For virtual machines only. */
    ArrayList<Attribute> userTemplate = new ArrayList<>();

    /** Its next states, one per request: {@code state/lcm}, or {@code gone}. */
    final ArrayList<String> next = new ArrayList<>();

    StandInThing(int id, String name) {
        this.id = id;
        this.name = name;
    }

    /**
     * Ignores empty attributes, also inside of vectors. Source: OpenNebula/one, release-6.10.0, src/template/Template.cc,
     * Template::rebuild_attributes; seen with oned 6.10.0, one.vn.update with an empty GATEWAY.
     */
    static ArrayList<Attribute> parse(String xml) {
        var root = StandInCalls.document(xml).getDocumentElement();
        if (!root.getNodeName().equals("TEMPLATE")) {
            throw new IllegalArgumentException("the root is " + root.getNodeName());
        }
        var attributes = new ArrayList<Attribute>();
        for (Element element : StandInCalls.elements(root)) {
            var vector = new TreeMap<String, String>();
            var parts = StandInCalls.elements(element);
            if (parts.isEmpty() && element.getTextContent().isEmpty()) {
                continue;
            }
            for (Element part : parts) {
                if (!StandInCalls.elements(part).isEmpty()) {
                    throw new IllegalArgumentException("a vector in a vector: " + part.getNodeName());
                }
                if (!part.getTextContent().isEmpty()) {
                    vector.put(part.getNodeName(), part.getTextContent());
                }
            }
            attributes.add(
                    new Attribute(element.getNodeName(), vector.isEmpty() ? element.getTextContent() : "", vector));
        }
        return attributes;
    }

    static Optional<String> text(List<Attribute> attributes, String name) {
        return attributes.stream()
                .filter(attribute -> attribute.name().equals(name))
                .findFirst()
                .map(Attribute::text);
    }

    static List<Map<String, String>> vectors(List<Attribute> attributes, String name) {
        return attributes.stream()
                .filter(attribute -> attribute.name().equals(name))
                .map(attribute -> (Map<String, String>) attribute.vector())
                .toList();
    }

    /**
     * Merges: a named attribute replaces all attributes of that name, and a vector without values only removes them.
     * Source: OpenNebula/one, release-6.10.0 and release-7.0.2, src/template/Template.cc, Template::merge.
     */
    static ArrayList<Attribute> merged(List<Attribute> old, List<Attribute> fresh) {
        var merged = new ArrayList<Attribute>();
        old.stream()
                .filter(attribute -> fresh.stream().noneMatch(one -> one.name().equals(attribute.name())))
                .forEach(merged::add);
        fresh.stream()
                .filter(one -> !one.text().isEmpty() || !one.vector().isEmpty())
                .forEach(merged::add);
        return merged;
    }

    static long asNumber(String address) {
        return Read.address(address)
                .map(found -> found.number().longValueExact())
                .orElse(-1L);
    }

    /** Whether a datastore's driver refuses a file; it does so after the image is made. */
    static boolean isRestricted(String path, List<Attribute> datastore) {
        return path.startsWith("/")
                && Stream.of(text(datastore, "SAFE_DIRS").orElse("").split(" "))
                        .noneMatch(safe -> !safe.isEmpty() && path.startsWith(safe))
                && Stream.of(("/var/lib/one/ /etc/one/ "
                                        + text(datastore, "RESTRICTED_DIRS").orElse(""))
                                .strip()
                                .split(" "))
                        .anyMatch(path::startsWith);
    }

    String field(String key) {
        return fields.getOrDefault(key, "");
    }

    int number(String key) {
        return Integer.parseInt(fields.getOrDefault(key, "0"));
    }

    static String xml(String name, String text) {
        return "<" + name + "><![CDATA[" + text.replace("]]>", "]]]]><![CDATA[>") + "]]></" + name + ">";
    }

    static String xml(String name, List<Attribute> attributes) {
        var inside = new StringBuilder();
        attributes.forEach(attribute -> inside.append(attribute.xml()));
        return "<" + name + ">" + inside + "</" + name + ">";
    }

    /** @param more already XML */
    String whole(String element, String more) {
        var inside = new StringBuilder("<ID>" + id + "</ID>" + xml("NAME", name));
        fields.forEach((key, value) -> inside.append(xml(key, value)));
        return "<" + element + ">" + inside + more + "</" + element + ">";
    }
}
