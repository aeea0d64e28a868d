package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.diag.Code;
import io.deepsite.site.load.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DiagnosticsPageTest {
    /** The golden folders of all modules: a code's first case is its example. */
    static final List<Path> CASES = List.of(
            Path.of("../clusters/src/test/resources/golden/errors"),
            Path.of("../providers-openstack/src/test/resources/golden/errors"),
            Path.of("../providers-opennebula/src/test/resources/golden/errors"),
            FaultGoldenTest.CASES,
            Path.of("../engine/src/test/resources/golden/faults"),
            Path.of("../store-postgresql/src/test/resources/golden/faults"),
            Path.of("../tosca/src/test/resources/golden/faults"),
            Path.of("../service/src/test/resources/golden/faults"),
            Path.of("../clusters/src/test/resources/golden/faults"),
            Path.of("../providers-lxd/src/test/resources/golden/faults"),
            Path.of("../providers-static/src/test/resources/golden/faults"),
            Path.of("../providers-openstack/src/test/resources/golden/faults"));

    @Test
    void numbersAreUnique() {
        assertThat(Arrays.stream(Code.values()).map(Code::id)).doesNotHaveDuplicates();
    }

    @Test
    void pageOfTheRepositoryListsEveryCode() throws IOException {
        var topics = new LinkedHashMap<String, String>();
        topics.put("DS10", "Reading site.yaml");
        topics.put("DS11", "Values and their types");
        topics.put("DS12", "The meaning of a site");
        topics.put("DS130", "Templates of TOSCA");
        topics.put("DS131", "Users of files");
        topics.put("DS132", "Software of a Slurm cluster");
        topics.put("DS134", "Elastic nodes");
        topics.put("DS138", "Volumes");
        topics.put("DS139", "Users of a directory");
        topics.put("DS141", "Shared cards of a Slurm cluster");
        topics.put("DS142", "Releases of Slurm");
        topics.put("DS143", "Disks of a machine that serves them");
        topics.put("DS144", "Releases of Kubernetes");
        topics.put("DS20", "Providers");
        topics.put("DS21", "LXD and Incus");
        topics.put("DS22", "Static hosts");
        topics.put("DS23", "OpenStack");
        topics.put("DS24", "OpenNebula");
        topics.put("DS30", "Hosts and SSH");
        topics.put("DS31", "Ansible");
        topics.put("DS32", "What roles find on a host");
        topics.put("DS40", "Plan and apply");
        topics.put("DS41", "State, journal and lock");
        topics.put("DS42", "Secrets");
        topics.put("DS50", "Templates and contracts");
        topics.put("DS60", "Verify");
        topics.put("DS70", "Lease");
        topics.put("DS80", "The command line");
        topics.put("DS81", "The service");
        topics.put("DS90", "deepsite itself");
        var page = new StringBuilder("""
                # Diagnostics

                <!-- Generated from the codes and the golden cases; `mvn test -Dgolden.update` rewrites it. -->

                Every message has a code whose meaning never changes. Below it follow the place, what is wrong and why, and how to fix
                it. The exit code is that of the first error; a run that started its work and did not finish it has exit code 1,
                whatever stopped it.
                """);
        for (var topic : topics.entrySet()) {
            var codes = Arrays.stream(Code.values())
                    .filter(code -> code.id().startsWith(topic.getKey()))
                    .sorted(Comparator.comparing(Code::id))
                    .toList();
            if (codes.isEmpty()) {
                continue;
            }
            page.append("\n## ").append(topic.getValue()).append('\n');
            for (var code : codes) {
                page.append("\n### ").append(code.id()).append(": ").append(code.summary());
                page.append("\n\nExit code ").append(code.exit().number()).append(": ");
                page.append(code.exit().meaning()).append(".\n");
                example(code)
                        .ifPresent(text -> page.append("\n```\n").append(text).append("```\n"));
            }
        }
        assertThat(page).contains(Arrays.stream(Code.values()).map(Code::id).toList());
        Golden.assertSame(Path.of("../docs/reference/diagnostics.md"), page.toString());
    }

    /** The first message of the code's first golden case. */
    private static Optional<String> example(Code code) throws IOException {
        for (var cases : CASES) {
            var texts = Golden.cases(cases).stream()
                    .filter(f -> f.getFileName().toString().startsWith(code.id()))
                    .map(f -> f.resolve("stderr.txt"))
                    .filter(Files::exists)
                    .toList();
            if (!texts.isEmpty()) {
                return message(code, Files.readString(texts.getFirst()));
            }
        }
        return Optional.empty();
    }

    /** Removes the progress lines and other messages around it. */
    private static Optional<String> message(Code code, String text) {
        var lines = text.lines()
                .dropWhile(line -> !line.contains(" " + code.id() + ": "))
                .toList();
        var message = new StringBuilder();
        for (var line : lines) {
            if (!message.isEmpty() && !line.isEmpty() && !line.startsWith(" ")) {
                break;
            }
            message.append(line).append('\n');
        }
        return lines.isEmpty()
                ? Optional.empty()
                : Optional.of(message.toString().stripTrailing() + "\n");
    }
}
