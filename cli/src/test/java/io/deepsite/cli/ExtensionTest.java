package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.render.DeepsiteHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A kind of cluster is a jar with two classes, and a role: nothing else has to know it. The guide "Write your own kind" shows
 * these files.
 */
class ExtensionTest {
    private static final Path GREETING = Path.of("src/test/resources/extensions/greeting");
    private static final Path SOURCES = Path.of("org/example/greeting");
    private static final Path SERVICE = Path.of("META-INF/services/io.deepsite.cluster.ClusterKind");

    @TempDir
    private Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private FaultStory story;

    @BeforeEach
    void aSiteThatGreets() throws Exception {
        story = new FaultStory(folder);
        for (var part : List.of("ansible-roles", "templates", "ansible-plugins")) {
            copy(Path.of("..").resolve(part), home().resolve(part));
        }
        install("greeting", text -> text);
        story.ownFiles(home());
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
                .does("plan", "site.yaml")
                .does("apply", "site.yaml", "--yes")
                .does("verify", "site.yaml")
                .does("run", "--site", "site.yaml", "hello", "--", place() + "/ran");

        assertThat(story.told())
                .contains("box: greeting: done in TIME")
                .contains("passed  hello place on box: it is there");
        assertThat(place().resolve("ran")).exists();

        story.does("greet", "--site", "site.yaml", "hello");
        assertThat(story.stdout()).isEqualTo("ran\n");

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
        story.does("init", "--help");
        assertThat(story.stdout()).contains("openstack, greeting, none");
        story.does("completion");
        assertThat(story.stdout()).contains("\"greeting\"");

        story.site("clusters:\n  hello: {kind: greeting, hosts: [boxx], plac: /srv}\n");
        story.fails(2, "validate", "site.yaml");
        assertThat(story.stderr()).contains("There is no group boxx").contains("Did you mean \"place\"?");
    }

    @Test
    void itsCommandIsInHelpAndCompletion() throws Exception {
        story.does("--help");
        assertThat(story.stdout()).contains("  greet       Print what the folder of a greeting holds.");
        story.does("greet", "--help");
        assertThat(story.stdout())
                .contains("--all ", "Hidden files, too.", "--site=FILE", "--json ", "deepsite greet hello --all");
        story.does("completion", "bash");
        assertThat(story.stdout()).contains("function _picocli_deepsite_greet()");
    }

    @Test
    void aKindIsThereOnce() throws Exception {
        install("other", text -> text.replace("return \"greeting\"", "return \"slurm\""));
        PlanFaults.deleteTree(extension("other").resolve("roles"));
        PlanFaults.deleteTree(extension("other").resolve("templates"));

        story.fails(2, "validate", "site.yaml");

        assertThat(story.stderr())
                .contains("error DS8006: an extension cannot be used")
                .contains("It contains a kind slurm, and so does deepsite itself.");
    }

    @Test
    void whatIsMadeForAnotherDeepsiteIsRefused() throws Exception {
        install("greeting", text -> text.replace("public final class", "final class"));

        story.fails(2, "version");

        assertThat(story.stderr()).contains("Its classes cannot be loaded");
    }

    /** Whoever follows the guide writes what is tested here. */
    @Test
    void theGuideShowsTheseFiles() throws IOException {
        var guide = Files.readString(Path.of("../docs/guides/extensions.md"));
        try (var files = Files.walk(GREETING)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                assertThat(guide)
                        .as(file.toString())
                        .contains(Files.readString(file).strip());
            }
        }
    }

    private Path home() {
        return folder.resolve("out");
    }

    private Path place() {
        return folder.resolve("greeting");
    }

    private Path extension(String name) {
        return home().resolve("lib/extensions").resolve(name);
    }

    /** Compiles the sources, and puts jar, role and template where the guide says. */
    private void install(String name, UnaryOperator<String> change) throws Exception {
        var to = extension(name);
        copy(GREETING.resolve("roles"), to.resolve("roles"));
        copy(GREETING.resolve("templates"), to.resolve("templates"));
        var work = Files.createTempDirectory(folder, "sources");
        var compiler = new ArrayList<>(List.of(
                "--release", "25", "-proc:none", "-cp", System.getProperty("java.class.path"), "-d", work.toString()));
        for (var source : DeepsiteHome.children(GREETING.resolve("src").resolve(SOURCES))) {
            var file = Files.writeString(work.resolve(source.getFileName()), change.apply(Files.readString(source)));
            compiler.add(file.toString());
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, compiler.toArray(String[]::new)))
                .isZero();
        try (var jar = new JarOutputStream(Files.newOutputStream(to.resolve("greeting.jar")))) {
            add(jar, SERVICE, GREETING.resolve(SERVICE));
            for (var type : DeepsiteHome.children(work.resolve(SOURCES))) {
                add(jar, SOURCES.resolve(type.getFileName()), type);
            }
        }
    }

    private static void add(JarOutputStream jar, Path name, Path file) throws IOException {
        jar.putNextEntry(new JarEntry(name.toString()));
        jar.write(Files.readAllBytes(file));
        jar.closeEntry();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var files = Files.walk(from)) {
            for (var file : files.toList()) {
                var copied = to.resolve(from.relativize(file));
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copied);
                } else {
                    Files.copy(file, copied, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
    }
}
