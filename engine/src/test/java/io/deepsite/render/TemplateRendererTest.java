package io.deepsite.render;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateRendererTest {
    @TempDir
    Path root;

    private TemplateRenderer renderer;

    @BeforeEach
    void open() throws IOException {
        Files.createDirectories(root.resolve("templates"));
        Files.createDirectories(root.resolve("ansible-roles"));
        renderer = new TemplateRenderer(new DeepsiteHome(root));
    }

    @Test
    void neverReadsAValueAsATemplate() throws IOException {
        assertThat(render("{{ text }}\n", Map.of("text", "{{ 1 + 1 }}{% raise %}")))
                .isEqualTo("{{ 1 + 1 }}{% raise %}\n");
    }

    @Test
    void dropsTheLineOfAStatementAndKeepsTheLastLineBreak() throws IOException {
        var template = "a\n{% if yes %}\nb\n{% endif %}\nc\n";

        assertThat(render(template, Map.of("yes", true))).isEqualTo("a\nb\nc\n");
        assertThat(render(template, Map.of("yes", false))).isEqualTo("a\nc\n");
    }

    /** A renderer caches results by the values of the template's variables. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{ word | default('none') }}",
                "{% if word is defined %}{{ word }}{% else %}none{% endif %}",
                "{% for word in [1] %}{% endfor %}{{ word | default('none') }}",
                "{% set other = word | default('none') %}{{ other }}"
            })
    void distinguishesScopes(String template) throws IOException {
        Files.writeString(root.resolve("templates/x.j2"), template);

        assertThat(renderer.render("x.j2", Map.of("word", "a", "idle", 1))).isEqualTo("a");
        assertThat(renderer.render("x.j2", Map.of("idle", 1))).isEqualTo("none");
        assertThat(renderer.render("x.j2", Map.of("word", "b"))).isEqualTo("b");
        assertThat(renderer.render("x.j2", Map.of("word", "a", "idle", 2))).isEqualTo("a");
    }

    @Test
    void leavesMarkersForSecretsAndFacts() throws IOException {
        var text = render("key={{ secret('munge_key') }}\n{{ fact('node-1', 'address') }}\n", Map.of());

        assertThat(Marker.secretsIn(text)).containsExactly("munge_key");
        assertThat(Marker.unknownsIn(text)).containsExactly(new Item.Unknown("node-1", "address"));
        assertThat(Marker.masked(text)).isEqualTo("key=***\n<address of node-1>\n");
    }

    @Test
    void refusesAFilterThatTakesAMarkerApart() throws IOException {
        var failure = failure(
                "{{ address | replace('fact', 'x') }}",
                Map.of("address", Marker.fact(new Item.Unknown("n", "address"))));

        assertThat(failure.diagnostics().getFirst().why()).contains("changed the placeholder");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "one\n{{ nope }}",
                "one\n{{ node.nope }}",
                "one\n{% if nope %}x{% endif %}",
                "one\n{% for x in nope %}{% endfor %}",
                "one\n{{ nodes | map(attribute='nope') | join(',') }}",
                "one\n{{ yes }}",
                "one\n{{ nodes }}",
                "one\n{{ node }}",
                "one\n{{ 1.5 }}",
                "one\n{{ 'a' if nope else 'b' }}",
                "one\n{{ 'a' if node.nope else 'b' }}",
                "one\n{% if node.nope == 'x' or yes %}y{% endif %}",
                "one\n{{ 'x' + nodes[3] }}",
                "one\n{% for n in nodes %}{% endfor %}{{ 'a' if n else 'b' }}",
                "one\n{% for n in nodes %}{{ n.nope | join }}{% endfor %}"
            })
    void saysInWhichLineSomethingIsMissingOrHasNoText(String template) {
        var failure = failure(
                template, Map.of("node", Map.of("name", "n"), "nodes", List.of(Map.of("name", "n")), "yes", true));

        var diagnostic = failure.diagnostics().getFirst();
        assertThat(diagnostic.code()).isEqualTo(Code.TEMPLATE_FAILED);
        assertThat(diagnostic.where().line()).isEqualTo(2);
        assertThat(diagnostic.where().file()).endsWith("templates/x.j2");
    }

    @Test
    void rendersFromManyThreadsAtOnce() throws IOException {
        Files.writeString(root.resolve("templates/x.j2"), "{% for x in list %}{{ x }}{% endfor %}{{ n }}");

        var texts = IntStream.range(0, 400)
                .parallel()
                .mapToObj(n -> renderer.render("x.j2", Map.of("list", List.of("a", "b"), "n", n)))
                .toList();

        assertThat(texts).hasSize(400).startsWith("ab0", "ab1").endsWith("ab398", "ab399");
    }

    @Test
    void refusesATemplateOutsideOfItsFolder() {
        var failure = catchThrowableOfType(Failure.class, () -> renderer.render("../ansible-roles/x", Map.of()));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.TEMPLATE_MISSING);
    }

    private String render(String template, Map<String, ?> scope) throws IOException {
        Files.writeString(root.resolve("templates/x.j2"), template);
        return new TemplateRenderer(new DeepsiteHome(root)).render("x.j2", scope);
    }

    private Failure failure(String template, Map<String, ?> scope) {
        return catchThrowableOfType(Failure.class, () -> render(template, scope));
    }
}
