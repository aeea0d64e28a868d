package io.deepsite.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Stands in a rendered text for what is not known when the plan is made: a secret, or a fact of a machine that does not
 * exist yet. Closing a plan puts the values in their place. The signs around it are control characters, which site.yaml
 * may not hold, so no value of a user can be taken for a marker.
 */
public final class Marker {
    private static final Pattern SECRET = Pattern.compile("\u0001secret:([a-z0-9_]+)\u0002");
    private static final Pattern FACT = Pattern.compile("\u0001fact:([a-z0-9-]+):([a-z_]+)\u0002");

    private Marker() {}

    public static String secret(String name) {
        return "\u0001secret:" + name + "\u0002";
    }

    public static String fact(Item.Unknown unknown) {
        return "\u0001fact:" + unknown.machine() + ":" + unknown.fact() + "\u0002";
    }

    /** Names of the secrets in a text, in order of appearance, each once. */
    public static List<String> secretsIn(String text) {
        return SECRET.matcher(text)
                .results()
                .map(match -> match.group(1))
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

    public static String close(String text, Function<String, String> secrets, Function<Item.Unknown, String> facts) {
        var withSecrets =
                SECRET.matcher(text).replaceAll(match -> Matcher.quoteReplacement(secrets.apply(match.group(1))));
        return FACT.matcher(withSecrets)
                .replaceAll(match ->
                        Matcher.quoteReplacement(facts.apply(new Item.Unknown(match.group(1), match.group(2)))));
    }

    /** The text with facts in the place of their markers; secrets stay markers. */
    public static String withFacts(String text, Function<Item.Unknown, String> facts) {
        return close(text, Marker::secret, facts);
    }

    /** For people: secrets as {@code ***}, facts by name. */
    public static String masked(String text) {
        return close(text, name -> "***", unknown -> "<" + unknown.fact() + " of " + unknown.machine() + ">");
    }
}
