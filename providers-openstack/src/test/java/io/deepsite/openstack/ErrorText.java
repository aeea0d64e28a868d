package io.deepsite.openstack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.DiagnosticPrinter;
import io.deepsite.diag.Failure;
import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** Compares messages of failures with golden texts. */
final class ErrorText {
    static final Path CASES = Path.of("src/test/resources/golden/errors");
    /** No message may hold one of them. */
    private static final List<String> SECRETS =
            List.of(RecordedCloud.PASSWORD, "in-the-file", "in-the-variable", "oidc-access", "token-1");

    private ErrorText() {}

    interface Attempt {
        Object run();
    }

    /**
     * @param folder of the test; messages name it as on a user's machine
     * @param name of the golden case: {@code AREA/DSnnnn-what}
     */
    static void says(Path folder, String name, Attempt attempt) {
        var failure = catchThrowableOfType(Failure.class, attempt::run);

        assertThat(failure).as(name).isNotNull();
        assertThat(failure.diagnostics().getFirst().code().id()).isEqualTo(Golden.code(name));
        var text = failure.diagnostics().stream().map(DiagnosticPrinter::print).collect(Collectors.joining("\n"));
        assertThat(SECRETS).noneSatisfy(secret -> assertThat(text + failure).contains(secret));
        Golden.assertSame(
                CASES.resolve(name).resolve("stderr.txt"),
                text.replace(folder.resolve("home").toString(), "/home/alice")
                        .replace(folder.resolve("work").toString(), "/work")
                        .replace(folder.resolve("etc").toString(), "/etc/openstack")
                        .replace(folder.toString(), "/work")
                        .replaceAll("(127\\.0\\.0\\.1|localhost):[0-9]+", "cloud.example"));
    }
}
