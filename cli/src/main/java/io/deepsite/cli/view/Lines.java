package io.deepsite.cli.view;

import io.deepsite.contract.Marker;

/** Builds text line by line. Values not known yet show as {@code <address of node-2>}, secrets are masked. */
final class Lines {
    private final StringBuilder text = new StringBuilder();

    Lines add(int indent, String line) {
        text.append(" ".repeat(indent))
                .append(Marker.masked(line).stripTrailing())
                .append('\n');
        return this;
    }

    /** An empty line, except at the beginning. */
    Lines gap() {
        if (!text.isEmpty()) {
            text.append('\n');
        }
        return this;
    }

    /** Lines that are complete already. */
    Lines append(String block) {
        text.append(block);
        return this;
    }

    boolean isEmpty() {
        return text.isEmpty();
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
