package io.deepsite.render;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.render.TemplateScanner.Segment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a template may hold: text, comments, expressions ({@link ExpressionRules}), and the statements if, elif, else,
 * endif, for, endfor, set. Everything else is refused when the template is loaded, not when it is used.
 */
final class TemplateRules {
    static final Set<String> TAGS = Set.of("if", "elif", "else", "endif", "for", "endfor", "set");

    private static final Pattern FOR =
            Pattern.compile("for\\s+[A-Za-z_]\\w*(?:\\s*,\\s*[A-Za-z_]\\w*)?\\s+in\\s+(?<list>.+)", Pattern.DOTALL);
    private static final Pattern SET = Pattern.compile("set\\s+[A-Za-z_]\\w*\\s*=(?!=)(?<value>.+)", Pattern.DOTALL);

    private final RoleText source;
    private final List<Diagnostic> faults = new ArrayList<>();
    private final Deque<Open> open = new ArrayDeque<>();

    /** A statement that waits for its end. */
    private record Open(String tag, int line) {}

    private TemplateRules(RoleText source) {
        this.source = source;
    }

    static List<Diagnostic> faults(RoleText source, List<Segment> segments) {
        var rules = new TemplateRules(source);
        segments.forEach(rules::segment);
        var unclosed = rules.open.peek();
        if (unclosed != null) {
            rules.faults.add(Diagnostic.error(
                    Code.TEMPLATE_SYNTAX,
                    source.where(unclosed.line()),
                    "This {% " + unclosed.tag() + " %} is never closed.",
                    "Close it with {% end" + unclosed.tag() + " %}."));
        }
        return rules.faults;
    }

    private void segment(Segment segment) {
        if (!segment.closed()) {
            faults.add(Diagnostic.error(
                    Code.TEMPLATE_SYNTAX, source.where(segment.line()), "Its closing braces are missing.", ""));
            return;
        }
        switch (segment.kind()) {
            case TEXT, COMMENT -> {}
            case EXPRESSION -> expression(segment, segment.inner());
            case STATEMENT -> statement(segment);
        }
    }

    private void expression(Segment segment, String expression) {
        ExpressionRules.faults(expression).forEach(why -> refuse(segment, why));
    }

    private void statement(Segment segment) {
        var words = segment.inner().split("\\s+", 2);
        var rest = words.length > 1 ? words[1] : "";
        switch (words[0]) {
            case "if" -> {
                open.push(new Open("if", segment.line()));
                expression(segment, rest);
            }
            case "elif" -> expression(segment, rest);
            case "else" -> {
                if (isOpen("for")) {
                    refuse(
                            segment,
                            "the else of a {% for %} would silently be left out; test the list with {% if %} first");
                }
            }
            case "for" -> loop(segment);
            case "endif", "endfor" -> end(segment, words[0].substring(3));
            case "set" -> assignment(segment);
            default ->
                refuse(
                        segment,
                        "there is no statement " + words[0] + " here; allowed are "
                                + String.join(", ", TAGS.stream().sorted().toList()));
        }
    }

    private void loop(Segment segment) {
        open.push(new Open("for", segment.line()));
        var matcher = FOR.matcher(segment.inner());
        if (!matcher.matches()) {
            refuse(segment, "write {% for name in list %}");
            return;
        }
        var list = matcher.group("list");
        var tokens = ExpressionToken.tokens(list);
        if (tokens.stream().anyMatch(token -> token.is("if") || token.is("recursive"))) {
            refuse(
                    segment,
                    "an `if` or `recursive` inside {% for %} is not known here; use the filter selectattr, or {% if %}");
            return;
        }
        expression(segment, list);
    }

    private void assignment(Segment segment) {
        var matcher = SET.matcher(segment.inner());
        if (!matcher.matches()) {
            refuse(segment, "write {% set name = value %}");
            return;
        }
        if (open.stream().anyMatch(one -> one.tag().equals("for"))) {
            refuse(
                    segment,
                    "a {% set %} inside {% for %} lives longer than in Python; compute the value before the template");
        }
        expression(segment, matcher.group("value"));
    }

    private void end(Segment segment, String tag) {
        if (!isOpen(tag)) {
            faults.add(Diagnostic.error(
                    Code.TEMPLATE_SYNTAX,
                    source.where(segment.line()),
                    "{% end" + tag + " %} closes nothing that is open here.",
                    ""));
            return;
        }
        open.pop();
    }

    /** It was opened last, and not closed yet. */
    private boolean isOpen(String tag) {
        var last = open.peek();
        return last != null && last.tag().equals(tag);
    }

    private void refuse(Segment segment, String why) {
        var sentence = Character.toUpperCase(why.charAt(0)) + why.substring(1) + ".";
        faults.add(Diagnostic.error(Code.TEMPLATE_CONSTRUCT, source.where(segment.line()), sentence, ""));
    }
}
