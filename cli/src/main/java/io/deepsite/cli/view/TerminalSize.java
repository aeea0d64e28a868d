package io.deepsite.cli.view;

/** Of a terminal, in characters. */
public record TerminalSize(int columns, int rows) {
    /** What a terminal has that does not tell. */
    public static final TerminalSize USUAL = new TerminalSize(80, 24);
}
