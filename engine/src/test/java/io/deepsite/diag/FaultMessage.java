package io.deepsite.diag;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * Compares a fault's message with {@code golden/faults/AREA/DSnnnn-what/stderr.txt} of the module under test; for
 * faults that no story of the command line can cause.
 */
public final class FaultMessage {
    private FaultMessage() {}

    public static void assertReads(String name, ThrowingCallable what) {
        assertReads(name, what, UnaryOperator.identity());
    }

    /**
     * @param name {@code AREA/DSnnnn-what}, with the code of the first message
     * @param normal removes what differs on each run
     */
    public static void assertReads(String name, ThrowingCallable what, UnaryOperator<String> normal) {
        var failure = catchThrowableOfType(Failure.class, what);
        assertThat(failure).as(name).isNotNull();
        assertThat(failure.diagnostics().getFirst().code().id()).isEqualTo(Golden.code(name));
        var text = failure.diagnostics().stream().map(DiagnosticPrinter::print).collect(Collectors.joining("\n"));
        Golden.assertSame(Path.of("src/test/resources/golden/faults", name, "stderr.txt"), normal.apply(text));
    }
}
