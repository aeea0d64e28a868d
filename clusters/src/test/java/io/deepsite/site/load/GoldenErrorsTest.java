package io.deepsite.site.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.diag.Code;
import io.deepsite.diag.DiagnosticPrinter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each folder golden/errors/AREA/DSnnnn-what has a site.yaml (or a repeat.txt: how often, then the text to repeat),
 * optionally a set.txt of {@code --set} values, and the expected output.
 */
class GoldenErrorsTest {
    private static final Path CASES = Path.of("src/test/resources/golden/errors");

    @TempDir
    private Path generated;

    static List<Path> cases() throws IOException {
        return Golden.cases(CASES);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void saysWhatIsWrongAndHowToMendIt(Path folder) throws IOException {
        var result = TestSites.load(input(folder), set(folder));

        String text =
                result.diagnostics().stream().map(DiagnosticPrinter::print).collect(Collectors.joining("\n"));
        String name = folder.getFileName().toString();
        if (name.startsWith("DS")) {
            assertThat(result.diagnostics())
                    .anySatisfy(d -> assertThat(d.code().id()).isEqualTo(Golden.code(name)));
        }
        assertThat(result.site()).isEmpty();
        Golden.assertSame(
                folder.resolve("stderr.txt"), text.replace(folder + "/", "").replace(generated + "/", ""));
    }

    @Test
    void everyCodeOfReadingHasACase() throws IOException {
        var names = cases().stream().map(f -> f.getFileName().toString()).toList();

        assertThat(Arrays.stream(Code.values()).map(Code::id).filter(id -> id.matches("DS1[0-2].*")))
                .allSatisfy(id -> assertThat(names).anyMatch(name -> name.startsWith(id)));
    }

    private Path input(Path folder) throws IOException {
        var repeat = folder.resolve("repeat.txt");
        if (!Files.exists(repeat)) {
            return folder.resolve("site.yaml");
        }
        String text = Files.readString(repeat);
        int lineEnd = text.indexOf('\n');
        var file = generated.resolve("site.yaml");
        Files.writeString(file, text.substring(lineEnd + 1).repeat(Integer.parseInt(text.substring(0, lineEnd))));
        return file;
    }

    private static Map<String, String> set(Path folder) throws IOException {
        var file = folder.resolve("set.txt");
        var set = new LinkedHashMap<String, String>();
        if (Files.exists(file)) {
            Files.readAllLines(file)
                    .forEach(line ->
                            set.put(line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1)));
        }
        return set;
    }
}
