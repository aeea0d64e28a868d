package io.deepsite.provider;

/**
 * What the admin of a back-end gave us once, so that it trusts us from then on. Not a record on purpose: neither string
 * concatenation nor a JSON writer can reveal it.
 */
public final class Introduction {
    private final Kind kind;
    private final String text;

    public enum Kind {
        /** Good for one client, and names the server that gave it. */
        TOKEN,
        /** The same for everybody. */
        PASSWORD
    }

    public Introduction(Kind kind, String text) {
        this.kind = kind;
        this.text = text;
    }

    public Kind kind() {
        return kind;
    }

    /** The plain text; the caller sees to it that it reaches only the back-end that it is meant for. */
    public String reveal() {
        return text;
    }

    @Override
    public String toString() {
        return "***";
    }
}
