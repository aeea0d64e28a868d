package io.deepsite.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Faulty user roles and templates: reported before anything is changed. */
final class RoleFileFaults {
    private static final String MUNGE = "ansible-roles/munge/meta/contract.yml";
    private static final String SPECS = "ansible-roles/etc_hosts/meta/argument_specs.yml";
    private static final String SLURM_CONF = "templates/slurm_controller/etc/slurm/slurm.conf.j2";

    private RoleFileFaults() {}

    static List<FaultCase> cases() {
        return List.of(
                of("roles/DS5001-not-jinja", home -> append(ofExtension(home), "{% if %}\n")),
                of("roles/DS5002-unknown-filter", home -> append(ofExtension(home), "{{ 'a' | to_nice_yaml }}\n")),
                of("roles/DS5003-unknown-name", home -> append(home.resolve(SLURM_CONF), "{{ nosuch }}\n")),
                of("roles/DS5004-template-gone", home -> Files.delete(home.resolve(SLURM_CONF))),
                of("roles/DS5010-role-gone", home -> PlanFaults.deleteTree(home.resolve("ansible-roles/munge"))),
                of("roles/DS5011-contract-not-yaml", home -> append(home.resolve(MUNGE), "items: [\n")),
                of(
                        "roles/DS5012-impossible-mode",
                        home -> append(home.resolve(MUNGE), "  - directory: /srv/x\n    mode: \"9999\"\n")),
                of(
                        "roles/DS5013-clash",
                        home -> append(
                                home.resolve("ansible-roles/etc_hosts/meta/contract.yml"),
                                "  - file: /etc/munge/munge.key\n    content: \"x\"\n    mode: \"0600\"\n")),
                of(
                        "roles/DS5020-variable-unknown",
                        home -> replace(home.resolve(SPECS), "etc_hosts_machines", "etc_hosts_all")),
                of(
                        "roles/DS5021-variable-missing",
                        home -> replace(
                                home.resolve(SPECS),
                                "    options:\n      etc_hosts_machines:",
                                "    options:\n      etc_hosts_domain:\n        type: str\n        required: true\n"
                                        + "        description: Domain.\n      etc_hosts_machines:")),
                of(
                        "roles/DS5022-variable-of-another-type",
                        home -> replace(home.resolve(SPECS), "type: list\n        elements: dict", "type: int")),
                of(
                        "roles/DS5023-value-not-accepted",
                        home -> replace(
                                home.resolve("ansible-roles/shared_home/meta/argument_specs.yml"),
                                "choices: [provider, nfs_server, nfs_client]",
                                "choices: [impossible]")),
                of(
                        "roles/DS8006-role-there-twice",
                        home -> Files.createDirectories(home.resolve("lib/extensions/ours/roles/munge"))),
                new FaultCase("roles/DS5030-no-home", story -> {
                    var empty = Files.createDirectories(story.folder.resolve("out"));
                    story.ownFiles(empty);
                    story.fails(1, "plan", "site.yaml");
                }));
    }

    private interface Damage {
        void to(Path home) throws IOException;
    }

    private static FaultCase of(String name, Damage damage) {
        return new FaultCase(name, story -> {
            story.siteOf(HostFaults.SLURM.replace("shared: false", "shared: true"));
            var home = Files.createDirectories(story.folder.resolve("out"));
            copy(home, "ansible-roles");
            copy(home, "templates");
            copy(home, "ansible-plugins");
            damage.to(home);
            story.ownFiles(home);
            story.fails(2, "validate", "site.yaml").fails(2, "apply", "site.yaml", "--yes");
        });
    }

    /** The template of slurm.conf, brought along by an extension. */
    private static Path ofExtension(Path home) throws IOException {
        var extension = Files.createDirectories(home.resolve("lib/extensions/ours/templates"));
        Files.move(home.resolve("templates/slurm_controller"), extension.resolve("slurm_controller"));
        return extension.resolve("slurm_controller/etc/slurm/slurm.conf.j2");
    }

    private static void copy(Path home, String part) throws IOException {
        var from = Path.of("..").resolve(part);
        try (Stream<Path> files = Files.walk(from)) {
            for (var file : files.toList()) {
                Files.copy(file, home.resolve(part).resolve(from.relativize(file)));
            }
        }
    }

    private static void append(Path file, String text) throws IOException {
        Files.writeString(file, Files.readString(file) + text);
    }

    private static void replace(Path file, String from, String to) throws IOException {
        var text = Files.readString(file);
        if (!text.contains(from)) {
            throw new IllegalStateException(file + " has no " + from);
        }
        Files.writeString(file, text.replaceFirst(java.util.regex.Pattern.quote(from), to));
    }
}
