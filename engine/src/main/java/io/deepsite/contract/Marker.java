package io.deepsite.contract;

import io.deepsite.state.OpenSshKey;
import io.deepsite.state.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A placeholder in a rendered text for a value that is unknown at plan time: a secret, or a fact of a machine that does
 * not exist yet. Resolving the plan replaces it. Its delimiters are control characters, which site.yaml may not
 * contain, so no user's value can be mistaken for a marker.
 */
public final class Marker {
    private static final Pattern SECRET = Pattern.compile("\u0001(secret|json|apache|public):([a-z0-9_]+)\u0002");
    private static final Pattern FACT = Pattern.compile("\u0001fact:([a-z0-9-]+):([a-z_]+)\u0002");

    private Marker() {}

    public static String secret(String name) {
        return "\u0001secret:" + name + "\u0002";
    }

    /** A secret inside a JSON string. */
    public static String jsonSecret(String name) {
        return "\u0001json:" + name + "\u0002";
    }

    /** A secret inside a quoted argument of an Apache directive, in a file that defines DOLLAR as a dollar sign. */
    public static String apacheSecret(String name) {
        return "\u0001apache:" + name + "\u0002";
    }

    /** The public half of a secret that is a key pair. */
    public static String publicKey(String secret) {
        return "\u0001public:" + secret + "\u0002";
    }

    public static String fact(Item.Unknown unknown) {
        return "\u0001fact:" + unknown.machine() + ":" + unknown.fact() + "\u0002";
    }

    /** Names of secrets that the text contains, itself or as public half; in order of appearance, each once. */
    public static List<String> secretsIn(String text) {
        return SECRET.matcher(text)
                .results()
                .map(match -> match.group(2))
                .distinct()
                .toList();
    }

    public static List<Item.Unknown> unknownsIn(String text) {
        var unknowns = new ArrayList<Item.Unknown>();
        FACT.matcher(text)
                .results()
                .map(match -> new Item.Unknown(match.group(1), match.group(2)))
                .distinct()
                .forEach(unknowns::add);
        return unknowns;
    }

    /** @param secrets plain values by name; empty for a missing one */
    public static String close(String text, Function<String, String> secrets, Function<Item.Unknown, String> facts) {
        return close(text, (kind, name) -> written(kind, secrets.apply(name)), facts);
    }

    private static String written(String kind, String secret) {
        return switch (kind) {
            case "public" -> publicHalf(secret);
            case "json" -> quoted(secret);
            // Apache would expand ${...} as a variable; it does not rescan the expansion of DOLLAR.
            case "apache" -> quoted(secret).replace("${", "${DOLLAR}{");
            default -> secret;
        };
    }

    private static String quoted(String text) {
        return text.replace("\\", "\\\\").replace("\"", "\\\"");
    }

    private static String publicHalf(String pair) {
        return pair.isEmpty() ? "" : OpenSshKey.of(Secret.of(pair)).publicLine();
    }

    private static String close(String text, BinaryOperator<String> secrets, Function<Item.Unknown, String> facts) {
        var withSecrets = SECRET.matcher(text)
                .replaceAll(match -> Matcher.quoteReplacement(secrets.apply(match.group(1), match.group(2))));
        return FACT.matcher(withSecrets)
                .replaceAll(match ->
                        Matcher.quoteReplacement(facts.apply(new Item.Unknown(match.group(1), match.group(2)))));
    }

    /** Replaces the markers of facts; secrets stay markers. */
    public static String withFacts(String text, Function<Item.Unknown, String> facts) {
        return close(text, (kind, name) -> "\u0001" + kind + ":" + name + "\u0002", facts);
    }

    /** For people: secrets as {@code ***}, facts by name. */
    public static String masked(String text) {
        return close(
                text,
                (kind, name) -> kind.equals("public") ? "<public half of " + name + ">" : "***",
                unknown -> "<" + unknown.fact() + " of " + unknown.machine() + ">");
    }
}
