package io.deepsite.apply;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.PlainText;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A fault that a role's script detects and prints to stderr as a line {@code FAULT <code> <why> <fix>}, separated by
 * tabs.
 *
 * @param why full sentences: what was found on the host
 * @param fix what to do
 */
public record RoleFault(Code code, String why, String fix) {
    private static final String MARK = "FAULT";
    private static final int PARTS = 4;
    /** Codes of what roles find on a host. A host cannot report any other code of deepsite. */
    private static final String OF_ROLES = "DS32";

    private static final int MOST = 20;
    private static final int LONGEST = 4000;

    /**
     * Each once, in the order printed.
     *
     * @param message of the failed task: contains its stderr
     */
    public static List<RoleFault> in(String message) {
        return message.lines().flatMap(RoleFault::of).distinct().limit(MOST).toList();
    }

    public Diagnostic diagnostic(String role, String host, Path log) {
        return Diagnostic.error(
                code,
                role + " on " + host + ": " + why,
                fix + " Apply resumes from this step. Ansible's output is in " + log + ".",
                "deepsite apply");
    }

    /** Empty for other lines, and for codes unknown to this version. */
    private static Stream<RoleFault> of(String line) {
        var parts = line.strip().split("\t", PARTS);
        return parts.length == PARTS && parts[0].equals(MARK)
                ? code(parts[1])
                        .map(code ->
                                new RoleFault(code, PlainText.of(parts[2], LONGEST), PlainText.of(parts[3], LONGEST)))
                        .stream()
                : Stream.empty();
    }

    private static Optional<Code> code(String id) {
        return Arrays.stream(Code.values())
                .filter(code -> code.id().equals(id) && id.startsWith(OF_ROLES))
                .findFirst();
    }
}
