package io.deepsite.diag;

/** The exit codes of the process. The reference page of the command line is generated from them. */
public enum ExitCode {
    DONE(0, "done, or nothing to do"),
    FAILED(1, "the work failed"),
    INVALID_INPUT(2, "invalid input; nothing was touched"),
    CHANGES_PENDING(3, "changes or drift pending, or the run was limited on purpose"),
    INTERNAL(4, "a fault of deepsite itself"),
    LOCK_HELD(5, "another operation holds the site's lock"),
    PROVIDER_UNREACHABLE(6, "the provider did not answer"),
    CANCELLED(130, "cancelled by the user");

    private final int number;
    private final String meaning;

    ExitCode(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    public int number() {
        return number;
    }

    public String meaning() {
        return meaning;
    }
}
