package io.deepsite.cluster.opennebula;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.apply.RoleFault;
import io.deepsite.cluster.HostScripts;
import io.deepsite.diag.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults that only the front-end's tool can detect in a cloud; golden messages hold what the admin reads. A module
 * beside the tool, in place of Python's own, supplies oned's answers.
 */
class OpenNebulaToldFaultsTest {
    private static final String EMPTY = "<POOL></POOL>";

    @TempDir
    private Path folder;

    private HostScripts host;

    @BeforeEach
    void scripts() throws Exception {
        host = new HostScripts(folder, OpenNebulaSite.site("6.10", ""), OpenNebulaSite.machines());
        Files.createDirectories(folder.resolve("xmlrpc"));
        Files.createDirectories(folder.resolve("deepsite"));
        Files.writeString(folder.resolve("xmlrpc/__init__.py"), "");
        Files.writeString(folder.resolve("one_auth"), "oneadmin:word");
        Files.writeString(folder.resolve("deepsite/accounts"), "alice:one\n");
    }

    @Test
    void aForeignObject() throws Exception {
        wants("""
                "templates": [{"name": "small", "attributes": {"CPU": "1"}}]""");
        answers("templatepool", """
                <POOL><VMTEMPLATE><ID>3</ID><UNAME>oneadmin</UNAME><NAME>small</NAME><TEMPLATE><CPU>2</CPU></TEMPLATE></VMTEMPLATE></POOL>""");

        told("opennebula/DS3209-template-of-somebody-else", "opennebula_cloud", "front", "apply");
    }

    @Test
    void aNetworkThatMachinesUse() throws Exception {
        wants("""
                "networks": [{"name": "private", "attributes": {"BRIDGE": "br1"}}]""");
        answers("vnpool", """
                <POOL><VNET><ID>3</ID><UNAME>oneadmin</UNAME><NAME>private</NAME><TEMPLATE><DEEPSITE>of before</DEEPSITE></TEMPLATE></VNET></POOL>""");

        told("opennebula/DS3208-another-bridge", "opennebula_cloud", "front", "apply");
    }

    @Test
    void aFileThatTheDatastoreDoesNotCopy() throws Exception {
        wants("""
                "images": [{"name": "debian-12", "attributes": {"PATH": "/srv/debian-12.qcow2"}}]""");
        answers("datastorepool", """
                <POOL><DATASTORE><ID>1</ID><UNAME>oneadmin</UNAME><NAME>default</NAME><TEMPLATE><RESTRICTED_DIRS>/</RESTRICTED_DIRS><SAFE_DIRS>/var/tmp</SAFE_DIRS></TEMPLATE></DATASTORE></POOL>""");

        told("opennebula/DS3226-file-of-an-image", "opennebula_cloud", "front", "apply");
    }

    @Test
    void aHostThatRunsMachines() throws Exception {
        wants("");
        answers("hostpool", """
                <POOL><HOST><ID>3</ID><NAME>kvm-1</NAME><STATE>2</STATE><VMS><ID>7</ID><ID>12</ID></VMS><TEMPLATE></TEMPLATE></HOST></POOL>""");

        told("opennebula/DS3210-machines-on-a-host", "opennebula_kvm_host", "kvm-1", "host-remove", "kvm-1");
    }

    private void wants(String some) throws Exception {
        Files.writeString(
                folder.resolve("deepsite/objects.json"),
                "{\"hosts\": [], \"datastores\": [], \"networks\": [], \"images\": [], \"users\": [], \"templates\": []"
                        + (some.isEmpty() ? "" : ", " + some) + "}");
    }

    private void answers(String pool, String xml) throws Exception {
        Files.writeString(folder.resolve("xmlrpc/client.py"), """
                class Error(Exception):
                    pass

                class Transport:
                    pass

                class ServerProxy:
                    def __init__(self, *_, **__):
                        pass

                    def __getattr__(self, method):
                        return lambda *_: [True, '''%s''' if method == "one.%s.info" else "%s" if method.endswith(".info") else 1, 0]
                """.formatted(xml, pool, EMPTY));
    }

    private void told(String name, String role, String machine, String... arguments) throws Exception {
        var said = host.run("front", "deepsite-opennebula", arguments);

        assertThat(said.err()).startsWith("FAULT\t");
        assertThat(said.exit()).isEqualTo(1);
        assertReads(name, () -> {
            throw new Failure(RoleFault.in(said.err()).stream()
                    .map(fault -> fault.diagnostic(role, machine, Path.of("runs/1/ansible.log")))
                    .toList());
        });
        assertThat(List.of(said.out())).containsExactly("");
    }
}
