package io.deepsite.cli.view;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * The last lines of a terminal, redrawn in place. Lines above them stay in the terminal's history. Not thread-safe.
 */
final class Screen {
    private static final Pattern COLOURS = Pattern.compile("\u001b\\[[0-9;]*m");
    private static final String HIDE_CURSOR = "\u001b[?25l";
    private static final String SHOW_CURSOR = "\u001b[?25h";
    private static final String ERASE_BELOW = "\u001b[J";

    private final PrintWriter out;
    private final Supplier<TerminalSize> size;
    private List<String> drawn = List.of();

    Screen(PrintWriter out, Supplier<TerminalSize> size) {
        this.out = out;
        this.size = size;
    }

    TerminalSize size() {
        return size.get();
    }

    /**
     * @param above lines that stay, printed once
     * @param lines the region; the caller cuts lines to the width of the terminal
     */
    void draw(List<String> above, List<String> lines) {
        var frame = new StringBuilder(HIDE_CURSOR).append(back());
        above.forEach(line -> frame.append(line).append('\n'));
        lines.forEach(line -> frame.append(line).append('\n'));
        drawn = List.copyOf(lines);
        out.print(frame);
        out.flush();
    }

    /** Keeps what is drawn, and moves the cursor below it. */
    void close() {
        drawn = List.of();
        out.print(SHOW_CURSOR);
        out.flush();
    }

    /** Moves to the start of the region. A terminal that became narrower has wrapped the drawn lines. */
    private String back() {
        int columns = Math.max(1, size().columns());
        int rows = 0;
        for (var line : drawn) {
            int width = COLOURS.matcher(line).replaceAll("").codePointCount(0, plainLength(line));
            rows += Math.max(1, (width + columns - 1) / columns);
        }
        return (rows == 0 ? "" : "\u001b[" + rows + "A") + "\r" + ERASE_BELOW;
    }

    private static int plainLength(String line) {
        return COLOURS.matcher(line).replaceAll("").length();
    }
}
