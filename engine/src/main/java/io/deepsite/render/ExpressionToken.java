package io.deepsite.render;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** One token of a Jinja expression. */
record ExpressionToken(Kind kind, String text) {

    enum Kind {
        NAME,
        NUMBER,
        STRING,
        SIGN
    }

    /** By group of the pattern. */
    private static final List<Kind> KINDS = List.of(Kind.NAME, Kind.NUMBER, Kind.STRING, Kind.SIGN);

    private static final Pattern TOKEN =
            Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)|([0-9]+(?:\\.[0-9]+)?)|('[^']*'|\"[^\"]*\")"
                    + "|(\\*\\*|//|==|!=|<=|>=|&&|\\|\\||[^\\sA-Za-z0-9_])|\\s+");

    static List<ExpressionToken> tokens(String expression) {
        var tokens = new ArrayList<ExpressionToken>();
        var matcher = TOKEN.matcher(expression);
        while (matcher.find()) {
            for (int group = 1; group <= KINDS.size(); group++) {
                var text = matcher.group(group);
                if (text != null) {
                    tokens.add(new ExpressionToken(KINDS.get(group - 1), text));
                }
            }
        }
        return tokens;
    }

    boolean is(String sign) {
        return kind != Kind.STRING && text.equals(sign);
    }

    boolean isName() {
        return kind == Kind.NAME;
    }
}
