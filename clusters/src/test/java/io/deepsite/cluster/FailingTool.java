package io.deepsite.cluster;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.apply.RoleFault;
import io.deepsite.diag.Failure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A host's Python tool that runs here and fails.
 *
 * @param folder of the tool, whose programs come first on its PATH
 * @param text with the host's paths replaced
 */
public record FailingTool(Path folder, String role, String host, String text, Map<String, String> environment) {

    /** Checks that it prints a fault that reads as the golden message of that name. */
    public void fails(String golden, String... arguments) throws Exception {
        reads(golden, says(arguments));
    }

    public void reads(String golden, String said) {
        assertThat(said).startsWith("FAULT\t");
        assertReads(golden, () -> {
            throw failure(role, host, said);
        });
    }

    /** Its stderr. */
    public String says(String... arguments) throws Exception {
        var argv = new ArrayList<>(List.of(
                "/usr/bin/python3",
                Files.writeString(folder.resolve("tool"), text).toString()));
        argv.addAll(List.of(arguments));
        var err = folder.resolve("err");
        var builder = new ProcessBuilder(argv)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(err.toFile());
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        builder.environment().putAll(environment);

        assertThat(builder.start().waitFor()).isEqualTo(1);
        return Files.readString(err);
    }

    public static Failure failure(String role, String host, String said) {
        return new Failure(RoleFault.in(said).stream()
                .map(fault -> fault.diagnostic(role, host, Path.of("runs/1/ansible.log")))
                .toList());
    }
}
