package io.deepsite.opennebula.oca;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Node;
import org.xml.sax.ErrorHandler;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/** One element of a document in OpenNebula's answer. Paths read {@code TEMPLATE/DEEPSITE}. */
public final class Element {
    private final Node node;

    private Element(Node node) {
        this.node = node;
    }

    /**
     * Refuses a document with a DOCTYPE: it could make the parser read files and connect to other servers.
     *
     * @throws SAXException when it is not XML, or has a DOCTYPE
     */
    public static Element parse(String text) throws SAXException {
        try {
            // Not newInstance(): it searches the whole class path for another parser, each time.
            var factory = DocumentBuilderFactory.newDefaultInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
            factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_SCHEMA, "");
            factory.setXIncludeAware(false);
            factory.setExpandEntityReferences(false);
            var builder = factory.newDocumentBuilder();
            builder.setErrorHandler(new Strict());
            return new Element(
                    builder.parse(new InputSource(new StringReader(text))).getDocumentElement());
        } catch (ParserConfigurationException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The default one prints to stderr. */
    private static final class Strict implements ErrorHandler {
        @Override
        public void warning(SAXParseException exception) {}

        @Override
        public void error(SAXParseException exception) throws SAXException {
            throw exception;
        }

        @Override
        public void fatalError(SAXParseException exception) throws SAXException {
            throw exception;
        }
    }

    public String name() {
        return node.getNodeName();
    }

    /** Empty if there is none, or if it is empty. */
    public String text(String path) {
        return first(path).map(Element::own).orElse("");
    }

    public String own() {
        return node.getTextContent().strip();
    }

    /** -1 if there is none, or it is not a number. */
    public long number(String path) {
        var text = text(path);
        return text.matches("-?[0-9]{1,18}") ? Long.parseLong(text) : -1;
    }

    public int id() {
        return (int) number("ID");
    }

    public Optional<Element> first(String path) {
        return all(path).stream().findFirst();
    }

    /** All children of that path, in their order. */
    public List<Element> all(String path) {
        var found = List.of(this);
        for (var step : path.split("/")) {
            var next = new ArrayList<Element>();
            found.forEach(element -> element.children().stream()
                    .filter(child -> child.name().equals(step))
                    .forEach(next::add));
            found = next;
        }
        return found;
    }

    public List<Element> children() {
        var children = new ArrayList<Element>();
        for (var child = node.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child.getNodeType() == Node.ELEMENT_NODE) {
                children.add(new Element(child));
            }
        }
        return children;
    }

    /** Texts of its children by name, for a vector attribute. */
    public SortedMap<String, String> values() {
        var values = new TreeMap<String, String>();
        children().forEach(child -> values.put(child.name(), child.own()));
        return values;
    }
}
