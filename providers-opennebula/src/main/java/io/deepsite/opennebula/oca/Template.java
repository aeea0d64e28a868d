package io.deepsite.opennebula.oca;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The attributes of a call, in XML: so no character of a value can become another attribute. */
public final class Template {
    private final StringBuilder xml = new StringBuilder("<TEMPLATE>");

    public Template put(String name, String value) {
        xml.append('<')
                .append(name)
                .append('>')
                .append(escaped(value))
                .append("</")
                .append(name)
                .append('>');
        return this;
    }

    public Template put(String name, long value) {
        return put(name, String.valueOf(value));
    }

    /** Makes a merge remove the attribute: a vector without values. OpenNebula ignores an attribute with an empty text. */
    public Template remove(String name) {
        return vector(name, Map.of("NONE", ""));
    }

    public Template putOrRemove(String name, @Nullable String value) {
        return value == null ? remove(name) : put(name, value);
    }

    /** Keeps each of several attributes of one name. */
    public Template vector(String name, Map<String, String> values) {
        xml.append('<').append(name).append('>');
        values.forEach(this::put);
        xml.append("</").append(name).append('>');
        return this;
    }

    /** An element as OpenNebula returned it. */
    public Template copy(Element element) {
        return element.children().isEmpty()
                ? put(element.name(), element.own())
                : vector(element.name(), element.values());
    }

    /** XML has no control characters; OpenNebula does not use them. */
    private static String escaped(String value) {
        return value.replaceAll("[\\p{Cntrl}&&[^\\n\\t]]", "")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }

    @Override
    public String toString() {
        return xml + "</TEMPLATE>";
    }
}
