package io.deepsite.render;

import io.deepsite.render.TemplateScanner.Kind;
import io.deepsite.render.TemplateScanner.Segment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The variables of a template, with the line of their first use. They are checked before rendering: jinjava reports an
 * unknown name only if the whole expression is empty, which {@code 'a' if nope else 'b'} is not.
 */
final class TemplateNames {
    private static final Set<String> WORDS =
            Set.of("and", "or", "not", "in", "is", "if", "else", "true", "false", "loop");

    private final Map<String, Integer> used = new LinkedHashMap<>();
    private final Map<String, Integer> needed = new LinkedHashMap<>();
    private final Set<String> guarded = new HashSet<>();
    private final Deque<Set<String>> declared = new ArrayDeque<>(List.of(new HashSet<>()));

    private TemplateNames() {}

    static TemplateNames of(List<Segment> segments) {
        var names = new TemplateNames();
        segments.forEach(names::segment);
        names.needed.putAll(names.used);
        names.needed.keySet().removeAll(names.guarded);
        return names;
    }

    /** Every variable that affects the result, in the order of first use. */
    Set<String> used() {
        return used.keySet();
    }

    /** Without variables that {@code is defined} or {@code default} guards: those may be missing. */
    Map<String, Integer> needed() {
        return needed;
    }

    private void segment(Segment segment) {
        if (segment.kind() == Kind.EXPRESSION) {
            uses(ExpressionToken.tokens(segment.inner()), segment.line());
        } else if (segment.kind() == Kind.STATEMENT) {
            statement(ExpressionToken.tokens(segment.inner()), segment.line());
        }
    }

    private void statement(List<ExpressionToken> tokens, int line) {
        switch (tokens.getFirst().text()) {
            case "for" -> {
                int in = 0;
                while (!tokens.get(in).is("in")) {
                    in++;
                }
                uses(tokens.subList(in + 1, tokens.size()), line);
                var variables = new HashSet<String>();
                tokens.subList(1, in).stream().filter(ExpressionToken::isName).forEach(t -> variables.add(t.text()));
                declared.push(variables);
            }
            case "endfor" -> declared.pop();
            case "set" -> {
                uses(tokens.subList(3, tokens.size()), line);
                declared.getLast().add(tokens.get(1).text());
            }
            case "if", "elif" -> uses(tokens.subList(1, tokens.size()), line);
            default -> {}
        }
    }

    private void uses(List<ExpressionToken> tokens, int line) {
        for (int i = 0; i < tokens.size(); i++) {
            var token = tokens.get(i);
            boolean variable = token.isName()
                    && !WORDS.contains(token.text())
                    && !(i > 0 && (is(tokens, i - 1, ".") || is(tokens, i - 1, "|") || is(tokens, i - 1, "is")))
                    && !(is(tokens, i - 1, "not") && is(tokens, i - 2, "is"))
                    && !is(tokens, i + 1, "(")
                    && !is(tokens, i + 1, "=");
            if (variable && declared.stream().noneMatch(names -> names.contains(token.text()))) {
                used.putIfAbsent(token.text(), line);
                if (isGuarded(tokens, i)) {
                    guarded.add(token.text());
                }
            }
        }
    }

    private static boolean isGuarded(List<ExpressionToken> tokens, int i) {
        int test = is(tokens, i + 2, "not") ? i + 3 : i + 2;
        return (is(tokens, i + 1, "is") && (is(tokens, test, "defined") || is(tokens, test, "undefined")))
                || (is(tokens, i + 1, "|") && is(tokens, i + 2, "default"));
    }

    private static boolean is(List<ExpressionToken> tokens, int i, String sign) {
        return i >= 0 && i < tokens.size() && tokens.get(i).is(sign);
    }
}
