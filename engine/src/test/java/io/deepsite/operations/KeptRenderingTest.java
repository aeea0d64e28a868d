package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.cluster.Stage;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.plan.Desired;
import io.deepsite.provider.FakeProvider;
import io.deepsite.provider.FakeProviderFactory;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Sites;
import io.deepsite.provider.Tags;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.state.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is rendered again, and what is not. */
final class KeptRenderingTest {
    private static final Acceptance ACCEPTANCE =
            new Acceptance("hpc", "slurm", "head", "hello/verify.sh.j2", new TreeMap<>(Map.of("nodes", 2)));

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private int rendered;

    @BeforeEach
    void aHomeAndAState() throws IOException {
        write("home/ansible-roles/hello/meta/contract.yml", "items: []\n");
        write("home/ansible-roles/hello/tasks/greet.yml", "[]\n");
        write("home/templates/hello/verify.sh.j2", "true\n");
        write("home/lib/build", "one\n");
        state().make();
    }

    @Test
    void theSameIsRenderedOnce() {
        var first = ask(stages("x"), machines());

        assertThat(ask(stages("x"), machines())).isEqualTo(first);
        assertThat(rendered).isEqualTo(1);
    }

    @Test
    void anotherVariableIsRenderedAgain() {
        ask(stages("x"), machines());
        ask(stages("y"), machines());

        assertThat(rendered).isEqualTo(2);
    }

    @Test
    void anotherAddressOfAMachineIsRenderedAgain() {
        ask(stages("x"), machines());
        ask(stages("x"), machines().stream().map(Sites::withoutAddress).toList());

        assertThat(rendered).isEqualTo(2);
    }

    @Test
    void anEditedTemplateIsRenderedAgain() throws IOException {
        ask(stages("x"), machines());
        write("home/templates/hello/verify.sh.j2", "TRUE\n");
        ask(stages("x"), machines());

        assertThat(rendered).isEqualTo(2);
    }

    @Test
    void editedTasksOfARoleAreRenderedAgain() throws IOException {
        ask(stages("x"), machines());
        write("home/ansible-roles/hello/tasks/greet.yml", "[ ]\n");
        ask(stages("x"), machines());

        assertThat(rendered).isEqualTo(2);
    }

    @Test
    void anotherBuildOfTheProgramRendersAgain() throws IOException {
        ask(stages("x"), machines());
        write("home/lib/build", "two\n");
        ask(stages("x"), machines());

        assertThat(rendered).isEqualTo(2);
    }

    @Test
    void aProgramThatIsNotPackagedKeepsNothing() throws IOException {
        Files.delete(folder.resolve("home/lib/build"));
        ask(stages("x"), machines());
        ask(stages("x"), machines());

        assertThat(rendered).isEqualTo(2);
        assertThat(state().renderedFile()).doesNotExist();
    }

    @Test
    void whatCannotBeReadWholeIsNotKept() throws IOException {
        Files.delete(folder.resolve("home/templates/hello/verify.sh.j2"));
        Files.delete(folder.resolve("home/templates/hello"));
        Files.delete(folder.resolve("home/templates"));
        ask(stages("x"), machines());
        ask(stages("x"), machines());

        assertThat(rendered).isEqualTo(2);
        assertThat(state().renderedFile()).doesNotExist();
    }

    @Test
    void aTornFileIsMadeAnew() throws IOException {
        ask(stages("x"), machines());
        var whole = Files.readString(state().renderedFile());
        Files.writeString(state().renderedFile(), whole.substring(0, whole.length() / 2));
        ask(stages("x"), machines());

        assertThat(rendered).isEqualTo(2);
        assertThat(state().renderedFile()).hasContent(whole);
    }

    @Test
    void aSiteWithoutStateIsLeftWithoutOne() throws IOException {
        Files.delete(state().path());
        ask(stages("x"), machines());

        assertThat(state().path()).doesNotExist();
    }

    @Test
    void onlyTheOwnerReadsIt() throws IOException {
        ask(stages("x"), machines());

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(state().renderedFile())))
                .isEqualTo("rw-------");
    }

    private KeptRendering.Kept ask(List<Stage> stages, List<Machine> machines) {
        var kept = new KeptRendering(state(), new DeepsiteHome(folder.resolve("home")));
        return kept.get(kept.key(stages, machines, List.of(ACCEPTANCE)), () -> {
            rendered++;
            var items =
                    List.<Item>of(new Item.Group("hello", Optional.of(4), true, Item.Phase.BEFORE, Item.Notify.NONE));
            var contract = new Desired.RenderedRole(new Contract("hello", "head", items, List.of()), "sha256:0");
            return new KeptRendering.Kept(
                    Map.of("hpc.hello", Map.of("head", contract)),
                    List.of("00"),
                    new TreeMap<>(Map.of("00", "true\n")));
        });
    }

    private static List<Stage> stages(String word) {
        return List.of(
                new Stage("hpc.hello", "hello", Map.of("head", Map.of("hello_word", word)), 0, List.of(), false));
    }

    private static List<Machine> machines() {
        var site = new ClusterKinds(List.of(), List.of(new FakeProviderFactory()))
                .loader()
                .load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: lab
                        provider: {fake: {}}
                        machines:
                          head: {image: debian/12}
                          node: {image: debian/12, count: 2}
                        """, Map.of())
                .orFail();
        return new FakeProvider()
                .survey(new Tags.Scope.OneSite(site.name()))
                .compile(site, Requirements.NONE)
                .machines();
    }

    private StateFolder state() {
        return new StateFolder(folder.resolve("state"));
    }

    private void write(String file, String text) throws IOException {
        var path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
