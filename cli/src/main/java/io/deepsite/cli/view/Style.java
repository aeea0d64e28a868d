package io.deepsite.cli.view;

import io.deepsite.plan.Change;

/** Colours, or none. Colour only repeats what the text shows. */
public enum Style {
    PLAIN,
    COLOUR;

    public String bold(String text) {
        return in("1", text);
    }

    public String dim(String text) {
        return in("2", text);
    }

    public String red(String text) {
        return in("31", text);
    }

    public String green(String text) {
        return in("32", text);
    }

    public String yellow(String text) {
        return in("33", text);
    }

    public String magenta(String text) {
        return in("35", text);
    }

    public String cyan(String text) {
        return in("36", text);
    }

    /** The sign of a change, in its colour. */
    public String sign(Change change) {
        var sign = String.valueOf(change.sign());
        return switch (change) {
            case CREATE -> green(sign);
            case UPDATE -> yellow(sign);
            case REPLACE -> magenta(sign);
            case DELETE -> red(sign);
            case RELEASE, NONE -> sign;
        };
    }

    private String in(String code, String text) {
        return this == PLAIN || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
    }
}
