package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.cluster.ClusterStages;
import io.deepsite.cluster.Stage;
import io.deepsite.cluster.builtin.BuiltInKinds;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cluster;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.NamedGroup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A kind of cluster needs only one class and its role. */
class AddedKindTest {
    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private FaultStory story;

    /** Writes the site's name into a folder of each machine. */
    public record Greeting(
            @Key(value = "The groups that greet.", example = "[box]", required = true, impact = ChangeImpact.FILE)
            List<Name> hosts,

            @Key(value = "The folder of the greeting.", example = "/srv/greeting", impact = ChangeImpact.FILE)
            String place)
            implements Cluster {

        @Override
        public String kind() {
            return "greeting";
        }

        @Override
        public Set<Name> groups() {
            return Set.copyOf(hosts);
        }
    }

    static final class GreetingKind implements ClusterKind<Greeting> {
        @Override
        public String name() {
            return "greeting";
        }

        @Override
        public Class<Greeting> model() {
            return Greeting.class;
        }

        @Override
        public String template() {
            return "clusters:\n  hello: {kind: greeting, hosts: [node], place: /srv/greeting}\n";
        }

        @Override
        public void check(CheckContext context, Name name, Greeting cluster) {
            context.claim("greeting", name, NamedGroup.of(cluster.hosts(), "clusters." + name + ".hosts"));
        }

        @Override
        public Requirements requirements(Site site, Name name, Greeting cluster) {
            return Requirements.NONE;
        }

        @Override
        public List<Stage> stages(Site site, Name name, Greeting cluster, List<Machine> machines) {
            return List.of(ClusterStages.stage(
                    name,
                    "greeting",
                    ClusterStages.in(cluster.hosts(), machines),
                    _ -> Map.of("greeting_place", cluster.place()),
                    List.of()));
        }

        @Override
        public List<Acceptance> acceptance(Site site, Name name, Greeting cluster, List<Machine> machines) {
            var first = ClusterStages.in(cluster.hosts(), machines).getFirst();
            var variables = new TreeMap<String, Object>(Map.of("greeting_place", cluster.place()));
            return List.of(new Acceptance(name.value(), "greeting", first.name(), "greeting/verify.sh.j2", variables));
        }

        @Override
        public CommandPrefix commandPrefix(
                Site site, Name name, Greeting cluster, List<Machine> machines, Optional<Name> user) {
            return new CommandPrefix(
                    ClusterStages.in(cluster.hosts(), machines).getFirst().name(), List.of("touch"));
        }
    }

    @BeforeEach
    void aHomeWithItsRole() throws Exception {
        story = new FaultStory(folder);
        var home = folder.resolve("out");
        for (var part : List.of("ansible-roles", "templates", "ansible-plugins")) {
            copy(Path.of("..").resolve(part), home.resolve(part));
        }
        var role = home.resolve("ansible-roles/greeting");
        file(role.resolve("meta/argument_specs.yml"), """
                argument_specs:
                  main:
                    short_description: Greets
                    options:
                      greeting_place: {type: str, required: true, description: Folder.}
                """);
        file(role.resolve("meta/contract.yml"), """
                items:
                  - directory: "{{ greeting_place }}"
                    owner: root
                    group: root
                    mode: "0755"
                """);
        file(home.resolve("templates/greeting/verify.sh.j2"), """
                test -d '{{ greeting_place }}' && printf 'CHECK\\tplace\\tpassed\\tbox\\t0.001\\tit is there\\n'
                """);
        story.ownFiles(home);
        story.kinds(new ClusterKinds(
                Stream.<ClusterKind<?>>concat(BuiltInKinds.ALL.all().stream(), Stream.of(new GreetingKind()))
                        .toList()));
        story.ansible("2.14.3", "", "mkdir -p -m 0755 " + place());
        story.site("clusters:\n  hello: {kind: greeting, hosts: [box], place: " + place() + "}\n");
    }

    @AfterEach
    void end() throws Exception {
        story.close();
    }

    @Test
    void isReadPlannedAppliedProvedUsedAndDestroyed() throws Exception {
        story.does("validate", "site.yaml")
                .does("apply", "site.yaml", "--yes")
                .does("verify", "site.yaml")
                .does("run", "--site", "site.yaml", "hello", "--", place() + "/ran");

        assertThat(story.told())
                .contains("box: greeting: done in TIME")
                .contains("passed  hello place on box: it is there");
        assertThat(place().resolve("ran")).exists();

        story.does("destroy", "site.yaml", "--yes");
        assertThat(story.lxd.ours()).isEmpty();
    }

    @Test
    void itsKeysAreCheckedExplainedInTheSchemaAndInATemplate() throws Exception {
        story.does("explain", "clusters.greeting.place");
        assertThat(story.stdout()).contains("The folder of the greeting.");
        story.does("schema");
        assertThat(story.stdout()).contains("\"greeting\"");
        story.does("init", "--kind", "greeting", "-");
        assertThat(story.stdout()).contains("hello: {kind: greeting");

        story.site("clusters:\n  hello: {kind: greeting, hosts: [boxx], plac: /srv}\n");
        story.fails(2, "validate", "site.yaml");
        assertThat(story.stderr()).contains("There is no group boxx").contains("Did you mean \"place\"?");
    }

    private Path place() {
        return folder.resolve("greeting");
    }

    private static void file(Path file, String text) throws Exception {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static void copy(Path from, Path to) throws Exception {
        try (var files = Files.walk(from)) {
            for (var file : files.toList()) {
                var copied = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copied);
                } else {
                    Files.copy(file, copied);
                }
            }
        }
    }
}
