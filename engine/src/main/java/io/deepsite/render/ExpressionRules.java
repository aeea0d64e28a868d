package io.deepsite.render;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What an expression may not contain: constructs that jinjava silently evaluates differently from Python's jinja2, and
 * everything outside the closed list. Each fault says what to write instead.
 */
final class ExpressionRules {
    static final Set<String> FILTERS = Set.of(
            "default",
            "first",
            "int",
            "join",
            "last",
            "length",
            "list",
            "lower",
            "map",
            "reject",
            "rejectattr",
            "replace",
            "reverse",
            "select",
            "selectattr",
            "sort",
            "string",
            "trim",
            "unique",
            "upper");

    static final Set<String> TESTS = Set.of(
            "defined",
            "undefined",
            "string",
            "number",
            "mapping",
            "sequence",
            "equalto",
            "eq",
            "ne",
            "in",
            "even",
            "odd",
            "none");

    static final Set<String> FUNCTIONS =
            Set.of("range", "secret", "json_secret", "apache_secret", "public_key", "fact");

    /** Functions that produce a marker. */
    private static final Set<String> MARKERS = Set.of("secret", "json_secret", "apache_secret", "public_key", "fact");

    private static final Set<String> LOOP =
            Set.of("index", "index0", "first", "last", "length", "revindex", "revindex0");
    private static final Set<String> KEYWORDS = Set.of("and", "or", "not", "in", "is", "if", "else");
    private static final Set<String> FOREIGN = Set.of(
            "eq",
            "ne",
            "lt",
            "gt",
            "le",
            "ge",
            "div",
            "mod",
            "empty",
            "instanceof",
            "None",
            "none",
            "null",
            "True",
            "False");
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", ">", "<=", ">=");
    private static final Set<String> BOUNDS = Set.of("and", "or", "if", "else", ",", "(", ")", "[", "]", "{", "}", ":");

    private final List<ExpressionToken> tokens;
    private final List<String> faults = new ArrayList<>();

    private ExpressionRules(String expression) {
        tokens = ExpressionToken.tokens(expression);
    }

    /** The faults of the expression; empty if there are none. */
    static List<String> faults(String expression) {
        var rules = new ExpressionRules(expression);
        for (int i = 0; i < rules.tokens.size(); i++) {
            rules.at(i).ifPresent(rules.faults::add);
        }
        rules.conditions();
        rules.comparisons();
        rules.subscripts();
        return rules.faults;
    }

    private Optional<String> at(int i) {
        var token = tokens.get(i);
        return switch (token.kind()) {
            case STRING ->
                token.text().contains("\\")
                        ? fault(
                                "a backslash in a quoted text means something else in Python; write the character itself, or pass"
                                        + " the text as a variable")
                        : Optional.empty();
            case NAME -> name(i);
            case SIGN -> sign(i);
            case NUMBER -> Optional.empty();
        };
    }

    private Optional<String> name(int i) {
        var name = tokens.get(i).text();
        if (before(i, "|")) {
            return FILTERS.contains(name) && !after(i, ".")
                    ? Optional.empty()
                    : fault("there is no filter " + name + " here; allowed are " + listed(FILTERS));
        }
        if (before(i, "is") || (before(i, "not") && i > 1 && tokens.get(i - 2).is("is"))) {
            return name.equals("not") || TESTS.contains(name)
                    ? Optional.empty()
                    : fault("there is no test " + name + " here; allowed are " + listed(TESTS));
        }
        if (before(i, ".")) {
            return member(i, name);
        }
        if (after(i, "=")) {
            return i > 1 && before(i, "(") && tokens.get(i - 2).is("map") && name.equals("attribute")
                    ? Optional.empty()
                    : fault(
                            "only map takes a named argument (attribute): the others would take it by its place; give all"
                                    + " arguments in their order");
        }
        if (FOREIGN.contains(name)) {
            return fault(name
                    + " is not a word of these templates; compare with ==, !=, < and the like, write true and false,"
                    + " and test with `is none`");
        }
        if (after(i, "(") && !KEYWORDS.contains(name) && !FUNCTIONS.contains(name)) {
            return fault("there is no function " + name + " here; allowed are " + listed(FUNCTIONS));
        }
        boolean marker = MARKERS.contains(name) && after(i, "(");
        return marker && (i > 0 || close(1) < tokens.size() - 1)
                ? fault(name + "(…) must be alone in its braces, because its value is known only later")
                : Optional.empty();
    }

    private Optional<String> member(int i, String name) {
        if (tokens.get(i - 2).is("loop")) {
            return LOOP.contains(name)
                    ? Optional.empty()
                    : fault("loop." + name + " is not known here; allowed are " + listed(LOOP));
        }
        return after(i, "(") && !name.equals("items")
                ? fault("the method " + name + "() is not known here; use a filter, or compute it before the template")
                : Optional.empty();
    }

    private Optional<String> sign(int i) {
        return switch (tokens.get(i).text()) {
            case "%" ->
                fault(
                        "% differs from Python for negative numbers, and formats nothing; compute it before the template");
            case "/" -> fault("/ gives a fraction; use // for whole numbers");
            case "**" -> fault("** is not used here");
            case "?", "&&", "||", "!" ->
                fault(tokens.get(i).text() + " is no Jinja; write `a if b else c`, and, or, not");
            case "~" ->
                tokens.stream().anyMatch(t -> t.is("+") || t.is("-"))
                        ? fault("~ beside + or - binds otherwise than in Python; write the parts as texts of their own")
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    /**
     * Checks that an inline `if` is the only one and has an `else`, that no `not` precedes a comparison, and no filter
     * an `is`.
     */
    private void conditions() {
        long ifs = tokens.stream().filter(t -> t.is("if")).count();
        if (ifs != tokens.stream().filter(t -> t.is("else")).count()) {
            faults.add("an inline `if` needs its `else`: without it the text would silently be empty");
        } else if (ifs > 1) {
            faults.add("one inline `if` per expression; use {% if %}");
        }
        for (int i = 0; i < tokens.size(); i++) {
            boolean prefix = tokens.get(i).is("not") && !after(i, "in") && !before(i, "is");
            if (prefix
                    && upTo(i + 1).stream().anyMatch(t -> COMPARISONS.contains(t.text()) || t.is("in") || t.is("is"))) {
                faults.add("`not` binds closer than in Python; write `!=`, `not in`, `is not`, or parentheses");
            }
            if (tokens.get(i).is("|") && upTo(i + 1).stream().anyMatch(t -> t.is("is"))) {
                faults.add("a filter before `is` needs parentheses: (x | filter) is test");
            }
        }
    }

    private void comparisons() {
        int seen = 0;
        for (var token : tokens) {
            if (token.kind() == ExpressionToken.Kind.STRING) {
                continue;
            }
            seen = BOUNDS.contains(token.text()) ? 0 : COMPARISONS.contains(token.text()) ? seen + 1 : seen;
            if (seen > 1) {
                faults.add("a chain of comparisons means something else in Python; join two by `and`");
                return;
            }
        }
    }

    private void subscripts() {
        for (int i = 1; i < tokens.size(); i++) {
            var previous = tokens.get(i - 1);
            boolean subscript = tokens.get(i).is("[")
                    && ((previous.isName() && !KEYWORDS.contains(previous.text()))
                            || previous.is(")")
                            || previous.is("]")
                            || previous.kind() == ExpressionToken.Kind.STRING);
            if (subscript && after(i, "-")) {
                faults.add("a negative index is not known here; use the filter last");
            }
            if (subscript && tokens.subList(i, close(i)).stream().anyMatch(t -> t.is(":"))) {
                faults.add("slices are not known here; compute the part before the template");
            }
        }
    }

    /** The tokens from here to the end of the operand, without quoted text and brackets' contents. */
    private List<ExpressionToken> upTo(int from) {
        var found = new ArrayList<ExpressionToken>();
        for (int i = from; i < tokens.size(); i++) {
            var token = tokens.get(i);
            if (token.is("(") || token.is("[") || token.is("{")) {
                i = close(i);
            } else if (token.kind() != ExpressionToken.Kind.STRING) {
                if (BOUNDS.contains(token.text())) {
                    break;
                }
                found.add(token);
            }
        }
        return found;
    }

    /** Index of the bracket that closes the one at {@code open}; the last token if there is none. */
    private int close(int open) {
        int depth = 0;
        for (int i = open; i < tokens.size(); i++) {
            if (tokens.get(i).kind() == ExpressionToken.Kind.SIGN) {
                depth += "([{".contains(tokens.get(i).text())
                        ? 1
                        : ")]}".contains(tokens.get(i).text()) ? -1 : 0;
            }
            if (depth == 0) {
                return i;
            }
        }
        return tokens.size() - 1;
    }

    private boolean before(int i, String sign) {
        return i > 0 && tokens.get(i - 1).is(sign);
    }

    private boolean after(int i, String sign) {
        return i + 1 < tokens.size() && tokens.get(i + 1).is(sign);
    }

    private static Optional<String> fault(String text) {
        return Optional.of(text);
    }

    private static String listed(Set<String> names) {
        return String.join(", ", names.stream().sorted().toList());
    }
}
