package io.deepsite.opennebula;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.DiagnosticPrinter;
import io.deepsite.diag.Failure;
import io.deepsite.site.load.Golden;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Compares error messages with golden texts. */
final class ErrorText {
    static final Path CASES = Path.of("src/test/resources/golden/errors");
    /** The part of the session string that no message may hold. */
    private static final String SECRET = "secret-of-alice";

    private ErrorText() {}

    interface Attempt {
        Object run();
    }

    /** @param name of the golden case; begins with the code */
    static void says(String name, Attempt attempt) {
        says(name, Path.of("/nowhere"), attempt);
    }

    /** @param folder of the test; paths below it are shown as on a user's machine */
    static void says(String name, Path folder, Attempt attempt) {
        var failure = catchThrowableOfType(Failure.class, attempt::run);

        assertThat(failure).as(name).isNotNull();
        var trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString()).doesNotContain(SECRET);
        shows(name, folder, failure.diagnostics());
    }

    static void shows(String name, List<Diagnostic> diagnostics) {
        shows(name, Path.of("/nowhere"), diagnostics);
    }

    private static void shows(String name, Path folder, List<Diagnostic> diagnostics) {
        assertThat(diagnostics.getFirst().code().id()).isEqualTo(Golden.code(name));
        var text = diagnostics.stream().map(DiagnosticPrinter::print).collect(Collectors.joining("\n"));
        assertThat(text).doesNotContain(SECRET);
        Golden.assertSame(
                CASES.resolve(name).resolve("stderr.txt"),
                text.replace(folder.resolve("home").toString(), "/home/alice")
                        .replace(folder.toString(), "")
                        .replaceAll("localhost:[0-9]+/RPC2", "one.example:2633/RPC2"));
    }
}
