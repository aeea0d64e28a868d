package io.deepsite.ansible;

import io.deepsite.remote.KnownHosts;
import io.deepsite.remote.SshConfig;
import io.deepsite.remote.SshTarget;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.state.AnsibleVault;
import io.deepsite.state.AtomicFile;
import io.deepsite.state.VaultKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes a bundle: {@code cd bundle && ansible-playbook site.yml} runs it without deepsite. YAML is written as JSON, which
 * is YAML too.
 */
public final class BundleWriter {
    /** The facts of hosts that a bundle was made from and nothing measured. */
    public static final String ASSUMED = "assumed-facts.json";

    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /** More gain nothing on one computer; each fork is a process of 40 MB. */
    private static final int FORKS = 25;

    private static final String HOLD = "main.yml";
    private static final String LEAVE = "leave.yml";

    private final DeepsiteHome home;
    private final Duration patience;
    private final Optional<VaultKey> key;
    private final Map<String, byte[]> encrypted = new HashMap<>();

    /**
     * @param patience Ansible's connection timeout
     * @param key encrypts secrets; required if a body is secret
     */
    public BundleWriter(DeepsiteHome home, Duration patience, Optional<VaultKey> key) {
        this.home = home;
        this.patience = patience;
        this.key = key;
    }

    /** @param folder is missing or empty; becomes readable by its owner only */
    public void write(Bundle bundle, Path folder) {
        try {
            Files.createDirectories(
                    folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            text(folder.resolve("ansible.cfg"), configuration(bundle));
            text(folder.resolve("known_hosts"), KnownHosts.text(bundle.hosts()));
            if (isIndirect(bundle)) {
                text(
                        folder.resolve("ssh_config"),
                        SshConfig.forAnsible(bundle.hosts(), Path.of("known_hosts"), key -> seenFrom(folder, key)));
            }
            json(folder.resolve("inventory.yml"), inventory(bundle, folder));
            if (!bundle.assumed().isEmpty()) {
                json(folder.resolve(ASSUMED), new TreeMap<>(bundle.assumed()));
            }
            for (var play : bundle.stages()) {
                json(inside(folder, play.file()), playbook(play, HOLD));
            }
            for (var play : bundle.leaves()) {
                json(inside(folder, play.file()), playbook(play, LEAVE));
            }
            json(
                    folder.resolve(Bundle.PLAYBOOK),
                    Stream.concat(bundle.stages().stream(), bundle.leaves().stream())
                            .map(play -> Map.of("import_playbook", play.file()))
                            .toList());
            for (var part : bundle.parts()) {
                write(part, folder);
            }
            var roles = new LinkedHashSet<String>();
            bundle.stages().forEach(play -> roles.add(play.role()));
            bundle.leaves().forEach(play -> roles.add(play.role()));
            for (var role : roles) {
                role(role, inside(folder.resolve("ansible-roles"), role));
            }
            copy(home.plugins(), folder.resolve("ansible-plugins"));
        } catch (IOException e) {
            throw AtomicFile.notWritten(folder, e);
        }
    }

    /** Every role gets the same apply and leave tasks, so a role that this version no longer has can still leave. */
    private void role(String name, Path to) throws IOException {
        var from = home.role(name);
        if (Files.isDirectory(from)) {
            copy(from, to);
        }
        var tasks = Files.createDirectories(to.resolve("tasks"));
        for (var file : List.of(HOLD, LEAVE)) {
            Files.copy(home.plugins().resolve("tasks").resolve(file), tasks.resolve(file));
        }
    }

    private void write(Bundle.Part part, Path folder) throws IOException {
        var contract = part.contract();
        json(inside(folder.resolve("contracts"), contract.host() + "/" + part.name() + ".json"), HostContract.of(part));
        for (var body : part.bodies()) {
            var file = inside(folder.resolve("files").resolve(contract.host()), body.source());
            Files.createDirectories(file.getParent());
            Files.write(
                    file, body.secret() ? encrypted(body.text()) : body.text().getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Refuses a name from a contract that points outside the bundle. */
    private static Path inside(Path folder, String name) {
        var file = folder.resolve(name).normalize();
        if (!file.startsWith(folder.normalize()) || file.equals(folder.normalize())) {
            throw new IllegalArgumentException(name + " leads out of the bundle");
        }
        return file;
    }

    /** Each distinct text is encrypted once: deriving a key costs a tenth of a second. */
    private byte[] encrypted(String text) {
        return encrypted.computeIfAbsent(
                text, plain -> AnsibleVault.encrypt(plain.getBytes(StandardCharsets.UTF_8), key.orElseThrow()));
    }

    private static boolean isIndirect(Bundle bundle) {
        return bundle.hosts().stream().anyMatch(host -> host.via().isPresent());
    }

    /** A key beside the runs of its site is the same file wherever their bundles are run; others have whole paths. */
    private static Path seenFrom(Path bundle, Path key) {
        var file = key.toAbsolutePath().normalize();
        var from = bundle.toAbsolutePath().normalize();
        return from.startsWith(file.getParent()) ? from.relativize(file) : file;
    }

    private String configuration(Bundle bundle) {
        var lines = new ArrayList<>(List.of(
                "# Written by deepsite for the site " + bundle.site() + "."
                        + (bundle.assumed().isEmpty()
                                ? ""
                                : " Made from assumed facts of hosts, which nothing checked: " + ASSUMED + "."),
                "[defaults]",
                "inventory = inventory.yml",
                "roles_path = ansible-roles",
                "action_plugins = ansible-plugins/action",
                "library = ansible-plugins/modules",
                "module_utils = ansible-plugins/module_utils",
                "callback_plugins = ansible-plugins/callback",
                "gathering = explicit",
                // No host can set variables of a play by its answers.
                "inject_facts_as_vars = false",
                "forks = " + FORKS,
                "timeout = " + patience.toSeconds(),
                "retry_files_enabled = false",
                "nocows = true",
                "host_key_checking = true",
                "any_errors_fatal = false"));
        bundle.vaultKey().ifPresent(file -> lines.add("vault_password_file = " + file.toAbsolutePath()));
        lines.addAll(List.of(
                "[ssh_connection]",
                "pipelining = true",
                "ssh_args = " + (isIndirect(bundle) ? "-F ssh_config " : "")
                        + "-o ControlMaster=auto -o ControlPersist=60s -o StrictHostKeyChecking=yes"
                        + " -o UserKnownHostsFile=known_hosts -o GlobalKnownHostsFile=/dev/null"
                        + " -o IdentitiesOnly=yes -o BatchMode=yes"
                        // Run by ssh once per connection, not by those that share it.
                        + " -o PermitLocalCommand=yes -o 'LocalCommand=echo %n >>" + Bundle.CONNECTIONS + "'"));
        return String.join("\n", lines) + "\n";
    }

    private static Map<String, Object> inventory(Bundle bundle, Path folder) {
        var hosts = new LinkedHashMap<String, Object>();
        for (SshTarget host : bundle.hosts()) {
            var variables = new LinkedHashMap<String, Object>();
            variables.put("ansible_host", host.address());
            variables.put("ansible_port", host.port());
            variables.put("ansible_user", host.user());
            variables.put(
                    "ansible_ssh_private_key_file",
                    seenFrom(folder, host.privateKey()).toString());
            variables.put("ansible_python_interpreter", "/usr/bin/python3");
            if (!host.root()) {
                variables.put("ansible_become", true);
            }
            hosts.put(host.name(), variables);
        }
        return Map.of("all", Map.of("hosts", hosts));
    }

    private static List<Map<String, Object>> playbook(Bundle.Play play, String tasks) {
        var role = new LinkedHashMap<String, Object>();
        role.put("name", play.role());
        role.put("tasks_from", tasks);
        role.put("rolespec_validate", false);
        var task = new LinkedHashMap<String, Object>();
        task.put("name", "Role " + play.role());
        task.put("ansible.builtin.include_role", role);
        var yaml = new LinkedHashMap<String, Object>();
        yaml.put("name", play.name());
        yaml.put("hosts", play.hosts());
        yaml.put("gather_facts", false);
        if (play.batch() > 0) {
            yaml.put("serial", play.batch());
        }
        if (!play.variables().isEmpty()) {
            yaml.put("vars", new TreeMap<>(play.variables()));
        }
        if (play.cancellable()) {
            var guard = new LinkedHashMap<String, Object>();
            guard.put("name", "Begin nothing more if the run is cancelled");
            guard.put("ansible.builtin.meta", "end_play");
            guard.put("when", "(playbook_dir ~ '/" + Bundle.CANCELLED + "') is file");
            yaml.put("pre_tasks", List.of(guard));
        }
        yaml.put("tasks", List.of(task));
        return List.of(yaml);
    }

    private static void json(Path file, Object value) throws IOException {
        text(file, JSON.writeValueAsString(value) + "\n");
    }

    private static void text(Path file, String text) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /** Skips tests and Python's caches. */
    private static void copy(Path from, Path to) throws IOException {
        try (var paths = Files.walk(from)) {
            for (var path : paths.sorted().toList()) {
                var name = from.relativize(path).toString();
                if (name.startsWith("test") || name.contains("__pycache__")) {
                    continue;
                }
                var target = to.resolve(name);
                if (Files.isDirectory(path)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(path, target);
                }
            }
        }
    }
}
