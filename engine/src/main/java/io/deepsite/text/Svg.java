package io.deepsite.text;

import java.util.Locale;

/** Draws a picture in SVG. Its colours are classes of {@link Palette}, so one picture serves a light and a dark page. */
public final class Svg {
    /** Of one sign of a usual sans-serif letter, as a part of its size; wide enough for digits and capitals. */
    private static final double SIGN = 0.57;

    private final Markup body = new Markup();

    /** Where a text is beside its point. */
    public enum Anchor {
        START,
        MIDDLE,
        END
    }

    public Svg box(double x, double y, double width, double height, double corner, String css) {
        body.empty(
                "rect",
                "class",
                css,
                "x",
                number(x),
                "y",
                number(y),
                "width",
                number(width),
                "height",
                number(height),
                "rx",
                number(corner));
        return this;
    }

    /** With a text that a pointer shows. */
    public Svg bar(double x, double y, double width, double height, String css, String tooltip) {
        body.open("g").element("title", tooltip);
        box(x, y, width, height, 2, css);
        body.close();
        return this;
    }

    public Svg line(double fromX, double fromY, double toX, double toY, String css) {
        body.empty(
                "line", "class", css, "x1", number(fromX), "y1", number(fromY), "x2", number(toX), "y2", number(toY));
        return this;
    }

    /** @param data as the attribute {@code d} of a path has it */
    public Svg path(String data, String css) {
        body.empty("path", "class", css, "d", data);
        return this;
    }

    /** On one line, cut where it would be wider; then a pointer shows the whole. */
    public Svg text(double x, double y, double size, double width, Anchor anchor, String css, String text) {
        var shown = fit(text, size, width);
        body.open(
                "text",
                "class",
                css,
                "x",
                number(x),
                "y",
                number(y),
                "font-size",
                number(size),
                "text-anchor",
                anchor.name().toLowerCase(Locale.ROOT));
        if (!shown.equals(text)) {
            body.element("title", text);
        }
        body.text(shown).close();
        return this;
    }

    public Svg line() {
        body.line();
        return this;
    }

    /** Another picture, moved. */
    public Svg add(Svg other, double x, double y) {
        body.open("g", "transform", "translate(" + number(x) + " " + number(y) + ")")
                .line();
        body.add(other.body).closeLine();
        return this;
    }

    /** As a part of a page, which has the style sheet. */
    public Markup inPage(String id, String title, String description, double width, double height) {
        return whole(id, title, description, width, height, false);
    }

    /** As a file of its own. */
    public String file(String title, String description, double width, double height) {
        return whole("picture", title, description, width, height, true) + "\n";
    }

    private Markup whole(String id, String title, String description, double width, double height, boolean alone) {
        var size = "0 0 " + number(width) + " " + number(height);
        var whole = new Markup();
        if (alone) {
            whole.open(
                    "svg",
                    "xmlns",
                    "http://www.w3.org/2000/svg",
                    "viewBox",
                    size,
                    "width",
                    number(width),
                    "height",
                    number(height),
                    "role",
                    "img",
                    "aria-labelledby",
                    id + "-title " + id + "-description");
        } else {
            whole.open(
                    "svg",
                    "viewBox",
                    size,
                    "width",
                    number(width),
                    "role",
                    "img",
                    "aria-labelledby",
                    id + "-title " + id + "-description");
        }
        whole.line().element("title", title, "id", id + "-title").line();
        whole.element("desc", description, "id", id + "-description").line();
        if (alone) {
            whole.style(Palette.CSS);
            whole.empty("rect", "class", "paper", "width", number(width), "height", number(height))
                    .line();
        }
        return whole.add(body).line().close();
    }

    /** The width of a text, roughly, and not less than it is. */
    public static double width(String text, double size) {
        return text.codePointCount(0, text.length()) * size * SIGN;
    }

    private static String fit(String text, double size, double width) {
        int most = (int) (width / (size * SIGN));
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, Math.max(0, most - 1))) + "…";
    }

    /** At most one decimal. */
    public static String number(double value) {
        var text = String.format(Locale.ROOT, "%.1f", value);
        return text.endsWith(".0") ? text.substring(0, text.length() - 2) : text;
    }
}
