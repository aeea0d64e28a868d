package io.deepsite.cluster.openstack;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.apply.RoleFault;
import io.deepsite.diag.Failure;
import io.deepsite.remote.Executable;
import io.deepsite.render.DeepsiteHome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tool of openstack_ansible on a stand-in of openstack-ansible's repository; its steps, and the faults it reports.
 */
class OpenStackToldFaultsTest {
    private static final Path REPOSITORY = DeepsiteHome.find().roles().resolve("openstack_ansible/tests/prepare");

    @TempDir
    private Path folder;

    private String from = "";
    private String commit = "";
    private String said = "";

    @BeforeEach
    void aRepository() throws Exception {
        Files.createDirectories(folder.resolve("etc/openstack_deploy"));
        Files.writeString(secrets(), "rabbitmq_cookie_token: x\nlxd_trust_password: x\nheat_auth_encryption_key: x\n");
        from = "file://" + folder + "/mirror";
        commit = madeRepository(folder.resolve("mirror"));
    }

    @Test
    void reportsAFailedPlaybookWithoutItsAnswerAndRerunsItAlone() throws Exception {
        assertThat(tool("checkout", from, commit)).isZero();
        assertThat(tool("is-checked-out", from, commit)).isZero();
        Files.createDirectories(folder.resolve("notes"));
        Files.createFile(folder.resolve("notes/fail-setup-infrastructure"));
        assertThat(tool("run", "bootstrap", "a", "60")).isZero();
        assertThat(tool("run", "setup-hosts", "a", "60")).isZero();

        assertThat(tool("run", "setup-infrastructure", "a", "60")).isEqualTo(1);
        told("openstack/DS3260-playbook-failed");
        assertThat(said).doesNotContain("not to be told");

        assertThat(tool("is-done", "setup-hosts", "a")).isZero();
        assertThat(tool("is-done", "setup-infrastructure", "a")).isEqualTo(1);
        assertThat(tool("run", "setup-infrastructure", "a", "60")).isZero();
        assertThat(calls()).containsExactly("setup-hosts", "setup-infrastructure", "setup-infrastructure");
        assertThat(folder.resolve("log/setup-infrastructure.log.1")).content().contains("fatal: [infra1]");
    }

    @Test
    void theRecordIsOfAllInputs() throws Exception {
        bootstrapped();
        assertThat(tool("run", "setup-hosts", "a", "60")).isZero();
        assertThat(tool("is-done", "setup-hosts", "b")).as("another site.yaml").isEqualTo(1);

        var own = Files.writeString(folder.resolve("etc/openstack_deploy/user_variables.yml"), "debug: true\n");
        assertThat(tool("is-done", "setup-hosts", "a"))
                .as("a file of the admin")
                .isEqualTo(1);
        Files.delete(own);
        Files.writeString(folder.resolve("etc/openstack_deploy/user_zz_deepsite.yml"), "# Written by deepsite: …\n");
        assertThat(tool("is-done", "setup-hosts", "a"))
                .as("a file of deepsite, which the digest covers")
                .isZero();
    }

    @Test
    void aRunThatWasLeftAloneIsWaitedFor() throws Exception {
        bootstrapped();
        var wait = Files.createFile(folder.resolve("notes/wait-setup-hosts"));
        var first = started("run", "setup-hosts", "a", "60");
        while (!calls().contains("setup-hosts")) {
            Thread.onSpinWait();
        }
        first.destroyForcibly().waitFor();

        var second = started("run", "setup-hosts", "a", "60");
        Files.delete(wait);

        assertThat(second.waitFor()).isZero();
        assertThat(calls()).containsExactly("setup-hosts");
        assertThat(tool("is-done", "setup-hosts", "a")).isZero();
    }

    @Test
    void hostsAreKnownByTheirKeys() throws Exception {
        bootstrapped();
        Executable.write(folder.resolve("bin/openstack-ansible"), "#!/bin/sh\necho \"$ANSIBLE_HOST_KEY_CHECKING\"\n");

        assertThat(tool("run", "setup-hosts", "a", "60")).isZero();

        assertThat(folder.resolve("log/setup-hosts.log")).hasContent("True");
    }

    @Test
    void aPlaybookThatDoesNotEnd() throws Exception {
        bootstrapped();
        Files.createFile(folder.resolve("notes/wait-setup-openstack"));

        assertThat(tool("run", "setup-openstack", "a", "0.5")).isEqualTo(1);
        told("openstack/DS3261-playbook-does-not-end");
    }

    @Test
    void aCommitThatTheMirrorDoesNotHave() throws Exception {
        assertThat(tool("checkout", from, "0123456789abcdef0123456789abcdef01234567"))
                .isEqualTo(1);
        told("openstack/DS3262-no-such-commit");
    }

    @Test
    void aMirrorThatDoesNotAnswer() throws Exception {
        assertThat(tool("checkout", "file://" + folder + "/nowhere", commit)).isEqualTo(1);
        assertThat(said).startsWith("FAULT\tDS3262\t").contains("cannot be fetched: ");
        assertThat(folder.resolve("opt")).doesNotExist();
    }

    @Test
    void aForeignFolder() throws Exception {
        Files.createDirectories(folder.resolve("opt"));

        assertThat(tool("checkout", from, commit)).isEqualTo(1);
        told("openstack/DS3262-folder-of-somebody-else");
        assertThat(tool("undo")).isZero();
        assertThat(folder.resolve("opt")).isDirectory();
    }

    @Test
    void missingSecrets() throws Exception {
        Files.writeString(secrets(), "lxd_trust_password: x\n");
        assertThat(tool("checkout", from, commit)).isZero();

        assertThat(tool("run", "bootstrap", "a", "60")).isEqualTo(1);
        told("openstack/DS3263-more-secrets");
    }

    @Test
    void leavingTakesWhatWasFetchedAndBootstrapped() throws Exception {
        bootstrapped();
        assertThat(folder.resolve("bin/openstack-ansible")).exists();

        assertThat(tool("undo")).isZero();
        assertThat(tool("undo")).isZero();

        assertThat(folder.resolve("opt")).doesNotExist();
        assertThat(folder.resolve("records")).doesNotExist();
        assertThat(folder.resolve("bin")).isEmptyDirectory();
    }

    /** Both texts are in tasks files, where Ansible fills in the variables. */
    @Test
    void aHostThatIsTooSmallOrHasNoBridge() throws Exception {
        said = message("small.yml")
                .replace("{{ action_args.memory }}", "15360")
                .replace("{{ action_args.disk }}", "75");
        told("openstack/DS3264-small-host");
        said = message("bridges.yml").replaceAll("\\{\\{ openstack_target_found.*? }}", "br-mgmt, br-vxlan");
        told("openstack/DS3265-no-bridge");
    }

    private static String message(String file) throws IOException {
        var tasks = Files.readString(DeepsiteHome.find().roles().resolve("openstack_target/tasks/" + file));
        return tasks.substring(tasks.indexOf("FAULT"), tasks.indexOf('"', tasks.indexOf("FAULT")))
                .replace("\\t", "\t")
                .replace("{{ inventory_hostname }}", "metal");
    }

    private void bootstrapped() throws Exception {
        assertThat(tool("checkout", from, commit)).isZero();
        assertThat(tool("run", "bootstrap", "a", "60")).isZero();
        Files.createDirectories(folder.resolve("notes"));
    }

    private Path secrets() {
        return folder.resolve("etc/openstack_deploy/user_secrets.yml");
    }

    private List<String> calls() throws IOException {
        var calls = folder.resolve("notes/calls");
        return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
    }

    private int tool(String... words) throws Exception {
        var process = started(words);
        said = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return process.waitFor();
    }

    /** The template has no variables, so it is the tool itself. */
    private Process started(String... words) throws IOException {
        var template = DeepsiteHome.find()
                .templates()
                .resolve("openstack_ansible/usr/local/sbin/deepsite-openstack-ansible.j2");
        var tool = folder.resolve("deepsite-openstack-ansible");
        if (!Files.exists(tool)) {
            Files.writeString(
                    tool,
                    Files.readString(template)
                            .replace("/opt/ansible-runtime", folder + "/runtime")
                            .replace("/opt/openstack-ansible", folder + "/opt")
                            .replace("/usr/local/bin", folder + "/bin")
                            .replace("/etc/openstack_deploy", folder + "/etc/openstack_deploy")
                            .replace("/var/lib/deepsite/openstack-ansible", folder + "/records")
                            .replace("/var/log/deepsite-openstack-ansible", folder + "/log"));
        }
        var argv = new ArrayList<>(List.of("/usr/bin/python3", tool.toString()));
        argv.addAll(List.of(words));
        var builder = new ProcessBuilder(argv).redirectOutput(ProcessBuilder.Redirect.DISCARD);
        builder.environment().putAll(Map.of("STANDIN_BIN", folder + "/bin", "STANDIN_NOTES", folder + "/notes"));
        return builder.start();
    }

    /** Returns its commit. */
    private static String madeRepository(Path place) throws Exception {
        var builder = new ProcessBuilder(REPOSITORY.toString()).redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().put("STANDIN_REPOSITORY", place.toString());
        var process = builder.start();
        var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).isZero();
        return text.strip();
    }

    private void told(String name) {
        var text = said.replace(folder + "/log", "/var/log/deepsite-openstack-ansible")
                .replace(folder + "/opt", "/opt/openstack-ansible")
                .replace("file://" + folder, "https://git.example.org")
                .replace("within 1 minutes", "within 240 minutes");
        assertThat(text).startsWith("FAULT\t");
        assertReads(name, () -> {
            throw new Failure(RoleFault.in(text).stream()
                    .map(fault -> fault.diagnostic("openstack_ansible", "metal", Path.of("runs/1/ansible.log")))
                    .toList());
        });
    }
}
