package io.deepsite.render;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** One token of a Jinja expression. */
record ExpressionToken(Kind kind, String text) {

    enum Kind {
        NAME,
        NUMBER,
        STRING,
        SIGN
    }

    private static final Pattern TOKEN = Pattern.compile(
            "(?<name>[A-Za-z_][A-Za-z0-9_]*)|(?<number>[0-9]+(?:\\.[0-9]+)?)|(?<string>'[^']*'|\"[^\"]*\")"
                    + "|(?<sign>\\*\\*|//|==|!=|<=|>=|&&|\\|\\||[^\\sA-Za-z0-9_])|\\s+");

    static List<ExpressionToken> tokens(String expression) {
        var tokens = new ArrayList<ExpressionToken>();
        var matcher = TOKEN.matcher(expression);
        while (matcher.find()) {
            for (var kind : Kind.values()) {
                var text = matcher.group(kind.name().toLowerCase(Locale.ROOT));
                if (text != null) {
                    tokens.add(new ExpressionToken(kind, text));
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
