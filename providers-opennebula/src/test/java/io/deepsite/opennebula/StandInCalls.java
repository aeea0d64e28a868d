package io.deepsite.opennebula;

import io.deepsite.opennebula.oca.OneVersion;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** oned's XML-RPC: accepts only the calls of oned-calls.tsv, with the right number and types of arguments. */
final class StandInCalls {
    /** @param arguments without the session string */
    record Call(String method, String session, List<Object> arguments) {
        String text(int index) {
            return (String) arguments.get(index);
        }

        boolean yes(int index) {
            return (Boolean) arguments.get(index);
        }

        int number(int index) {
            return (Integer) arguments.get(index);
        }
    }

    /** An XML-RPC fault: -506 for an unknown method, -501 for wrong arguments. */
    static final class NotTaken extends Exception {
        private static final long serialVersionUID = 1;
        private final String method;
        private final int fault;

        NotTaken(String method, int fault, String said) {
            super(said);
            this.method = method;
            this.fault = fault;
        }

        String method() {
            return method;
        }

        int fault() {
            return fault;
        }

        String said() {
            return String.valueOf(getMessage());
        }
    }

    private record Signature(String types, String optional, String since) {}

    private final Map<String, Signature> signatures = new TreeMap<>();

    private StandInCalls() {}

    static StandInCalls read() {
        var calls = new StandInCalls();
        try (InputStream in = StandInCalls.class.getResourceAsStream("/oned-calls.tsv")) {
            var text = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            text.lines().filter(line -> !line.startsWith("#")).forEach(line -> {
                var columns = line.split("\t", -1);
                var types = columns[1].split("/", 2);
                calls.signatures.put(columns[0], new Signature(types[0], types.length > 1 ? types[1] : "", columns[2]));
            });
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return calls;
    }

    Call parse(String request, String version) throws NotTaken {
        var document = document(request).getDocumentElement();
        var method = child(document, "methodName").getTextContent().strip();
        var values = new ArrayList<Object>();
        for (var param : children(child(document, "params"), "param")) {
            values.add(value(method, child(param, "value")));
        }
        var signature = signatures.get(method);
        if (signature == null || OneVersion.parse(version).compareTo(OneVersion.parse(signature.since())) < 0) {
            throw new NotTaken(method, -506, "Method '" + method + "' not defined");
        }
        var all = "s" + signature.types() + signature.optional();
        int least = 1 + signature.types().length();
        if (values.size() < least || values.size() > all.length()) {
            throw new NotTaken(method, -501, "Number of parameters is wrong: " + (values.size() - 1));
        }
        for (int i = 0; i < values.size(); i++) {
            var type = values.get(i) instanceof String ? 's' : values.get(i) instanceof Integer ? 'i' : 'b';
            if (type != all.charAt(i)) {
                throw new NotTaken(method, -501, "Parameter " + i + " is of type " + type + ", not " + all.charAt(i));
            }
        }
        return new Call(method, (String) values.getFirst(), List.copyOf(values.subList(1, values.size())));
    }

    private static Object value(String method, Element value) throws NotTaken {
        var typed = elements(value);
        if (typed.isEmpty()) {
            return value.getTextContent();
        }
        var text = typed.getFirst().getTextContent();
        return switch (typed.getFirst().getNodeName()) {
            case "string" -> text;
            case "int", "i4" -> Integer.parseInt(text.strip());
            case "boolean" -> text.strip().equals("1");
            default ->
                throw new NotTaken(
                        method, -501, "A parameter is a " + typed.getFirst().getNodeName());
        };
    }

    static Document document(String text) {
        try {
            // Not newInstance(): it searches the whole class path for another parser, each time.
            var factory = DocumentBuilderFactory.newDefaultInstance();
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return factory.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
        } catch (ParserConfigurationException | SAXException e) {
            throw new IllegalStateException("not XML: " + text, e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Element> elements(Element parent) {
        var elements = new ArrayList<Element>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) {
                elements.add(element);
            }
        }
        return elements;
    }

    private static List<Element> children(Element parent, String name) {
        return elements(parent).stream()
                .filter(element -> element.getNodeName().equals(name))
                .toList();
    }

    private static Element child(Element parent, String name) {
        return children(parent, name).getFirst();
    }

    static String done(String text) {
        return array(List.of(true, text, 0));
    }

    static String array(List<?> parts) {
        var values = new StringBuilder();
        for (var part : parts) {
            values.append("<value>")
                    .append(
                            switch (part) {
                                case Boolean yes -> "<boolean>" + (yes ? 1 : 0) + "</boolean>";
                                case Integer number -> "<i4>" + number + "</i4>";
                                case Long number -> "<i8>" + number + "</i8>";
                                default -> "<string>" + escaped(String.valueOf(part)) + "</string>";
                            })
                    .append("</value>");
        }
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><methodResponse><params><param><value><array><data>" + values
                + "</data></array></value></param></params></methodResponse>";
    }

    static String fault(int code, String said) {
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><methodResponse><fault><value><struct>"
                + "<member><name>faultCode</name><value><i4>" + code + "</i4></value></member>"
                + "<member><name>faultString</name><value><string>" + escaped(said) + "</string></value></member>"
                + "</struct></value></fault></methodResponse>";
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
