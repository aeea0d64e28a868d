package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** Reads pages and pictures as a strict reader does. */
final class WellFormed {
    private WellFormed() {}

    static Document read(String text) {
        try {
            var factory = DocumentBuilderFactory.newInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
            var builder = factory.newDocumentBuilder();
            builder.setErrorHandler(null);
            return builder.parse(new InputSource(new StringReader(text)));
        } catch (SAXException | IOException | ParserConfigurationException e) {
            throw new AssertionError(e.getMessage() + "\n" + text, e);
        }
    }

    static List<Element> elements(Document document, String name) {
        var found = new ArrayList<Element>();
        var nodes = document.getElementsByTagName(name);
        for (int i = 0; i < nodes.getLength(); i++) {
            found.add((Element) nodes.item(i));
        }
        return found;
    }

    /** A browser asks nobody for anything to show it, and runs nothing. */
    static void isAlone(String page) {
        var document = read(page);
        for (var element : elements(document, "*")) {
            assertThat(element.getTagName())
                    .isNotIn("script", "link", "img", "iframe", "object", "embed", "image", "use", "base", "form");
            var attributes = element.getAttributes();
            for (int i = 0; i < attributes.getLength(); i++) {
                var name = attributes.item(i).getNodeName();
                assertThat(name).doesNotStartWith("on").isNotIn("src", "srcset", "action", "xlink:href", "style");
                if (name.equals("href")) {
                    assertThat(attributes.item(i).getNodeValue()).startsWith("#");
                }
            }
        }
        elements(document, "style")
                .forEach(style -> assertThat(style.getTextContent()).doesNotContain("url(", "@import"));
    }
}
