package io.deepsite.opennebula.oca;

import java.util.Map;

/** What a call hands over, in the XML form: no character of a value can become another attribute. */
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

    /** Of several with one name, each is kept. */
    public Template vector(String name, Map<String, String> values) {
        xml.append('<').append(name).append('>');
        values.forEach(this::put);
        xml.append("</").append(name).append('>');
        return this;
    }

    /** As OpenNebula told it. */
    public Template copy(Element element) {
        return element.children().isEmpty()
                ? put(element.name(), element.own())
                : vector(element.name(), element.values());
    }

    /** Control characters are not of XML; OpenNebula has no use for them. */
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
