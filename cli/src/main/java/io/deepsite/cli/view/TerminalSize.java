package io.deepsite.cli.view;

/** The size of a terminal, in characters. */
public record TerminalSize(int columns, int rows) {
    /** The size assumed when the terminal does not report one. */
    public static final TerminalSize USUAL = new TerminalSize(80, 24);
}
