package io.deepsite.diag;

import org.jspecify.annotations.Nullable;

/**
 * A place in a file the user wrote.
 *
 * @param file path as the user would type it, relative to the working directory where possible
 * @param line 1-based; 0 for the whole file
 * @param column 1-based, in code points; 0 for the whole line
 * @param length code points to underline, at least 1
 * @param path the place in the document's own terms ({@code machines.node.memory}); empty for the document itself
 * @param text the line itself, without its line break; null if it cannot be shown
 */
public record Where(
        String file,
        int line,
        int column,
        int length,
        String path,
        @Nullable String text) {

    public static Where file(String file) {
        return new Where(file, 0, 0, 1, "", null);
    }
}
