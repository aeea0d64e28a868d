package io.deepsite.cluster.openstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.FailingTool;
import io.deepsite.remote.Executable;
import io.deepsite.render.DeepsiteHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Faults of nova-compute, reported by the tool of nova_lxd. systemd is simulated; the lane nova-lxd has a real one. */
class NovaLxdToldFaultsTest {
    @TempDir
    private Path folder;

    private Path conf;

    @BeforeEach
    void aServiceThatIsDown() throws Exception {
        conf = Files.writeString(folder.resolve("nova.conf"), "[lxd]\npool = new\n");
        program("systemctl", "case \"$*\" in *ActiveState*) echo failed ;; *MainPID*) echo 0 ;; esac");
        program("journalctl", "echo 'oslo_config.cfg.ConfigFileValueError: Value for option pool is not valid'");
    }

    @Test
    void aFileThatIsNotThere() throws Exception {
        Files.delete(conf);

        told("openstack/DS3241-no-nova-conf", "nova_lxd", "keep");
    }

    @Test
    void aServiceThatWasDownBefore() throws Exception {
        told("openstack/DS3242-nova-was-down", "nova_lxd", "keep");

        assertThat(folder.resolve("kept")).isEmptyDirectory();
    }

    @Test
    void aServiceThatDoesNotStartGetsItsPreviousFile() throws Exception {
        Files.createDirectories(folder.resolve("kept"));
        Files.writeString(folder.resolve("kept/nova.conf"), "[lxd]\npool = old\n");

        told("openstack/DS3243-nova-down-with-both", "nova_lxd_service", "wait");

        assertThat(conf).hasContent("[lxd]\npool = old\n");
    }

    private void program(String name, String body) throws Exception {
        Executable.write(folder.resolve(name), "#!/bin/sh\n" + body + "\n");
    }

    private void told(String golden, String role, String word) throws Exception {
        var template = DeepsiteHome.find().templates().resolve("nova_lxd/usr/local/sbin/deepsite-nova-lxd.j2");
        // The template has no variables, so it is the tool itself.
        var text = Files.readString(template).replace("/var/lib/deepsite/nova-lxd", folder + "/kept");
        var tool = new FailingTool(folder, role, "metal", text, Map.of("DEEPSITE_NOVA_PATIENCE", "0"));
        tool.reads(
                golden,
                tool.says(word, conf.toString(), "nova-compute.service").replace(folder.toString(), "/etc/nova"));
    }
}
