package io.deepsite.diag;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One message to a person: a fixed summary, then what happened and why in full sentences, then how to fix it.
 *
 * @param why full sentences: what was found, and why it is not accepted; holds user data, never a secret
 * @param fix what to do, one or two sentences; empty if the reason already says it
 * @param commands commands to type next, each shown alone on an indented line
 */
public record Diagnostic(
        Severity severity, Code code, @Nullable Where where, String why, String fix, List<String> commands) {

    public enum Severity {
        ERROR,
        WARNING,
        NOTE
    }

    /** Reasons often quote a host or a server. */
    public Diagnostic {
        why = PlainText.of(why);
        fix = PlainText.of(fix);
        commands = commands.stream().map(PlainText::of).toList();
    }

    public static Diagnostic error(Code code, @Nullable Where where, String why, String fix, String... commands) {
        return new Diagnostic(Severity.ERROR, code, where, why, fix, List.of(commands));
    }

    public static Diagnostic error(Code code, String why, String fix, String... commands) {
        return error(code, null, why, fix, commands);
    }

    public static Diagnostic warning(Code code, @Nullable Where where, String why, String fix, String... commands) {
        return new Diagnostic(Severity.WARNING, code, where, why, fix, List.of(commands));
    }

    public static Diagnostic note(Code code, @Nullable Where where, String why, String fix, String... commands) {
        return new Diagnostic(Severity.NOTE, code, where, why, fix, List.of(commands));
    }

    public boolean isError() {
        return severity == Severity.ERROR;
    }
}
