package io.deepsite.render;

import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.expression.ExpressionStrategy;
import com.hubspot.jinjava.tree.output.RenderedOutputNode;
import com.hubspot.jinjava.tree.parse.ExpressionToken;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * Prints only texts and whole numbers: jinjava and Python print lists, booleans, none and fractions differently, and no
 * configuration file needs their form.
 */
final class PlainOutput implements ExpressionStrategy {
    private static final long serialVersionUID = 1;

    @Override
    public RenderedOutputNode interpretOutput(ExpressionToken master, JinjavaInterpreter interpreter) {
        var value =
                interpreter.resolveELExpression(master.getExpr(), master.getLineNumber(), master.getStartPosition());
        return new RenderedOutputNode(text(value, master, interpreter));
    }

    private static String text(@Nullable Object value, ExpressionToken master, JinjavaInterpreter interpreter) {
        return switch (value) {
            case CharSequence text -> text.toString();
            case Long number -> number.toString();
            case Integer number -> number.toString();
            case BigInteger number -> number.toString();
            case null, default -> {
                // A failed expression has already reported a better error.
                if (interpreter.getErrors().isEmpty()) {
                    throw new NotText(master.getExpr(), kind(value), master.getLineNumber());
                }
                yield "";
            }
        };
    }

    private static String kind(@Nullable Object value) {
        return switch (value) {
            case null -> "nothing";
            case Boolean _ -> "a truth value";
            case Iterable<?> _ -> "a list";
            case java.util.Map<?, ?> _ -> "a map";
            case Number _ -> "a fraction";
            default -> "a " + value.getClass().getSimpleName();
        };
    }

    /** An expression gave a value that has no text form. */
    static final class NotText extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int line;

        NotText(String expression, String kind, int line) {
            super("{{ " + expression + " }} gives " + kind + ", not a text or a whole number.");
            this.line = line;
        }

        int line() {
            return line;
        }
    }
}
