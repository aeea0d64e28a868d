package io.deepsite.plan;

import io.deepsite.contract.Contents;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.contract.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Puts values in the place of markers, as far as they are known. What it gives back may be secret and is never written
 * to a plan or a state.
 *
 * @param secrets plain values by name
 * @param facts {@code <machine>/<fact>} to value
 * @param keyed the digest of secret content as a state may hold it: under the site's key, so that nobody can test
 *     guesses against it
 */
public record Closing(Map<String, String> secrets, Map<String, String> facts, UnaryOperator<String> keyed) {

    public Closing {
        secrets = new TreeMap<>(secrets);
        facts = new TreeMap<>(facts);
    }

    /** The bytes the host shall hold; empty while a secret or a fact in them is not known. */
    public Optional<String> text(Item.File file, Contents contents) {
        var text = contents.text(file.body());
        return missing(file).isEmpty()
                ? Optional.of(Marker.close(text, name -> secrets.getOrDefault(name, ""), this::fact))
                : Optional.empty();
    }

    /** Names of what is still unknown in the file. */
    public List<String> missing(Item.File file) {
        var missing = new ArrayList<String>();
        file.secrets().stream()
                .filter(name -> !secrets.containsKey(name))
                .map(name -> "secret " + name)
                .forEach(missing::add);
        file.unknowns().stream()
                .filter(unknown -> !facts.containsKey(key(unknown)))
                .map(unknown -> unknown.fact() + " of " + unknown.machine())
                .forEach(missing::add);
        return missing;
    }

    /** The item with the digest of the bytes that the host shall hold; itself while these are unknown. */
    public Item close(Item item, Contents contents) {
        return item instanceof Item.File file && file.open()
                ? text(file, contents)
                        .map(text -> (Item) file.closed(Digests.sha256(text)))
                        .orElse(file)
                : item;
    }

    /** The item as a state may hold it: no bare digest of secret content. */
    public Item recorded(Item item, Contents contents) {
        return close(item, contents) instanceof Item.File file && file.secret()
                ? file.closed(keyed.apply(file.body()))
                : close(item, contents);
    }

    /** What was seen of an item, as a plan or a state may hold it: no bare digest of secret content. */
    public Seen keyed(Item item, Seen seen) {
        if (!(item instanceof Item.File file)
                || !file.secret()
                || seen.text("sha256").isEmpty()) {
            return seen;
        }
        var fields = new TreeMap<>(seen.fields());
        fields.put("sha256", keyed.apply(seen.text("sha256")));
        return new Seen(fields, seen.unknown());
    }

    @Override
    public String toString() {
        return "Closing[secrets=" + secrets.keySet() + ", facts=" + facts + "]";
    }

    private String fact(Item.Unknown unknown) {
        return facts.getOrDefault(key(unknown), "");
    }

    private static String key(Item.Unknown unknown) {
        return unknown.machine() + "/" + unknown.fact();
    }
}
