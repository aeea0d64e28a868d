package io.deepsite.site.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.diag.Code;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What a site.yaml may say whose writer decides on the site's own machines only. */
class ConfinedKeysTest {
    private static final String NAME = "<name>";

    /** Keys of the whole model that hold a value; provider is one, whatever is below it. */
    private static Stream<Catalogue.Entry> values() {
        return new Catalogue(TestSites.ALL.model())
                .entries().stream()
                        .filter(Catalogue.Entry::isField)
                        .filter(entry -> !entry.field().notYet())
                        .filter(entry -> !entry.path().getFirst().equals("provider")
                                || entry.path().size() == 1);
    }

    static List<Catalogue.Entry> refused() {
        return values().filter(entry -> !entry.field().confined()).toList();
    }

    @ParameterizedTest
    @MethodSource("refused")
    void everyOtherKeyIsRefusedAtItsPlace(Catalogue.Entry entry) {
        var text = "apiVersion: deepsite/v1\nsite: theirs\n" + written(entry) + "\n";

        var result = TestSites.ALL.loader().loadConfined("site.yaml", text, Map.of(), Set.of());

        assertThat(result.site()).isEmpty();
        assertThat(result.diagnostics()).as(text).anySatisfy(fault -> {
            assertThat(fault.code()).isEqualTo(Code.ADMINISTRATORS_KEY);
            assertThat(fault.where()).isNotNull();
            assertThat(fault.where().line()).isEqualTo(3);
            assertThat(fault.where().path()).endsWith(entry.path().getLast().replace("[]", ""));
        });
    }

    /** The site.yaml of one key. */
    private static String written(Catalogue.Entry entry) {
        var text = "x";
        for (int i = entry.path().size() - 1; i >= 0; i--) {
            var segment = entry.path().get(i);
            boolean ofCluster = i == 1 && entry.path().getFirst().equals("clusters");
            if (segment.equals(NAME)) {
                text = "{a: " + (ofCluster ? "{kind: " + entry.kind().orElseThrow() + ", " + text.substring(1) : text)
                        + "}";
            } else if (i == 0) {
                text = segment + ": " + text;
            } else if (segment.endsWith("[]")) {
                text = "{" + segment.replace("[]", "") + ": [" + text + "]}";
            } else {
                text = "{" + segment + ": " + text + "}";
            }
        }
        return text.replace("[]:", ":");
    }

    /** A key that is new here reaches nothing: whoever accepts the change of this file says so. */
    @Test
    void theKeysOfTextThatAreAcceptedAreKnown() {
        var accepted = values().filter(entry -> entry.field().confined())
                .filter(entry -> holdsText(entry.shape()))
                .map(entry -> entry.text()
                        + entry.kind().map(kind -> " of kind " + kind).orElse(""))
                .collect(Collectors.toCollection(TreeSet::new));

        Golden.assertSame(Path.of("src/test/resources/golden/confined-keys.txt"), String.join("\n", accepted) + "\n");
    }

    private static boolean holdsText(Shape shape) {
        return switch (shape) {
            case Shape.Scalar scalar ->
                !Set.of(int.class, Integer.class, boolean.class, Boolean.class).contains(scalar.type());
            case Shape.Listing list -> holdsText(list.element());
            case Shape.Mapping map -> holdsText(map.value());
            case Shape.Struct _, Shape.Choice _ -> false;
        };
    }

    @Test
    void noAcceptedKeyNamesAFileOfThisMachine() {
        assertThat(values().filter(entry -> entry.field().confined()).filter(entry -> holdsText(entry.shape())))
                .allSatisfy(entry -> assertThat(entry.field().about())
                        .as(entry.text())
                        .doesNotContainIgnoringCase("on this machine", "private key", "known_hosts", "clouds.yaml"));
    }

    @Test
    void whatWasGrantedIsNotRefused() {
        var text = """
                apiVersion: deepsite/v1
                site: theirs
                machines: {node: {image: debian/12}}
                provider: {lxd: {network: lxdbr0}}
                ssh: {key: /etc/deepsite/key}
                """;
        var loader = TestSites.ALL.loader();

        assertThat(loader.loadConfined("site.yaml", text, Map.of(), Set.of("provider", "ssh"))
                        .diagnostics())
                .noneMatch(fault -> fault.code() == Code.ADMINISTRATORS_KEY);
        assertThat(loader.loadConfined("site.yaml", text, Map.of(), Set.of("provider"))
                        .diagnostics())
                .extracting(fault -> fault.where() + "")
                .anyMatch(where -> where.contains("ssh.key"));
    }

    @Test
    void keysAtTheTopAreThoseOfABlock() {
        assertThat(SiteLoader.topKeys("a: 1\nb: {c: 2}\n")).containsExactlyInAnyOrder("a", "b");
        assertThat(SiteLoader.topKeys("{a: 1}")).isEmpty();
        assertThat(SiteLoader.topKeys("a: 1\n---\nb: 2\n")).isEmpty();
        assertThat(SiteLoader.topKeys("a: [")).isEmpty();
    }
}
