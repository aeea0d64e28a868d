package io.deepsite.opennebula;

import io.deepsite.Fuzz;
import io.deepsite.opennebula.oca.Element;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.xml.sax.SAXException;

/** Fuzzes a front-end's document of one object. */
class ReadFuzzTest {
    private static final List<Function<Element, ?>> READERS = List.of(
            Read::named,
            Read::vm,
            Read::network,
            Read::image,
            Read::securityGroup,
            Read::host,
            Read::datastore,
            Read::template);

    @Test
    void anyDocumentIsRead() {
        Fuzz.run(
                "opennebula things",
                List.of("""
                        <VM><ID>7</ID><NAME>demo-node-1</NAME><STATE>3</STATE><LCM_STATE>3</LCM_STATE><TEMPLATE><VCPU>2</VCPU>\
                        <MEMORY>512</MEMORY><NIC><NETWORK_ID>1</NETWORK_ID><IP>10.0.0.2</IP></NIC><DISK><DISK_ID>0</DISK_ID>\
                        <IMAGE_ID>4</IMAGE_ID></DISK></TEMPLATE><USER_TEMPLATE><DEEPSITE><SITE>demo</SITE>\
                        <ID>instance/node-1</ID><LINEAGE>l</LINEAGE><ENDS>2031-01-01T00:00:00Z</ENDS></DEEPSITE>\
                        </USER_TEMPLATE></VM>""", """
                        <VNET><ID>1</ID><NAME>lab</NAME><AR_POOL><AR><IP>10.0.0.1</IP><SIZE>9</SIZE><LEASES><LEASE>\
                        <IP>10.0.0.2</IP></LEASE></LEASES></AR></AR_POOL><TEMPLATE><BRIDGE>br0</BRIDGE></TEMPLATE></VNET>""", """
                        <HOST><ID>0</ID><STATE>2</STATE><HOST_SHARE><MAX_CPU>400</MAX_CPU><CPU_USAGE>100</CPU_USAGE>\
                        <PCI_DEVICES><PCI><VENDOR>10DE</VENDOR><VMID>-1</VMID></PCI></PCI_DEVICES></HOST_SHARE></HOST>""", """
                        <SECURITY_GROUP><ID>3</ID><TEMPLATE><RULE><PROTOCOL>TCP</PROTOCOL><RANGE>22</RANGE></RULE></TEMPLATE>\
                        </SECURITY_GROUP>"""),
                text -> {
                    var root = Element.parse(text);
                    READERS.forEach(reader -> reader.apply(root));
                },
                SAXException.class);
    }
}
