package io.deepsite.opennebula.oca;

import io.deepsite.Fuzz;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.xml.sax.SAXException;

/** Fuzzes the documents of a front-end. */
class ElementFuzzTest {
    @Test
    void answerIsReadOrNotXml() {
        Fuzz.run(
                "opennebula",
                List.of("""
                        <VM><ID>7</ID><NAME>demo-node-1</NAME><STATE>3</STATE><TEMPLATE><DEEPSITE><![CDATA[demo]]></DEEPSITE>\
                        <NIC><IP>10.0.0.2</IP></NIC><NIC><IP>10.0.0.3</IP></NIC></TEMPLATE><HISTORY_RECORDS/></VM>""", """
                        <?xml version="1.0"?><HOST_POOL><HOST><ID>0</ID><HOST_SHARE><MAX_CPU>400</MAX_CPU><PCI_DEVICES>\
                        <PCI><ADDRESS>0000:01:00:0</ADDRESS><VMID>-1</VMID></PCI></PCI_DEVICES></HOST_SHARE></HOST></HOST_POOL>"""),
                text -> {
                    var root = Element.parse(text);
                    root.id();
                    root.text("TEMPLATE/DEEPSITE");
                    root.all("TEMPLATE/NIC").forEach(Element::values);
                    root.all("HOST/HOST_SHARE/PCI_DEVICES/PCI").forEach(card -> card.number("VMID"));
                    root.values();
                },
                SAXException.class);
    }
}
