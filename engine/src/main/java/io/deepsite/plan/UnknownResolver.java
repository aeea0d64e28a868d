package io.deepsite.plan;

import io.deepsite.contract.Action;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Digests;
import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.contract.Seen;
import io.deepsite.contract.Unknowns;
import io.deepsite.render.Fingerprint;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Replaces markers by their values, as far as they are known. Its results may be secret and are never written to a plan
 * or a state.
 *
 * @param secrets plain values by name
 * @param fingerprints of the secrets, as a state may hold them
 * @param facts {@code <machine>/<fact>} to value
 * @param keyed makes a digest of secret content storable: an HMAC under the site's key, which prevents testing guesses
 */
public record UnknownResolver(
        Map<String, String> secrets,
        Map<String, String> fingerprints,
        Map<String, String> facts,
        UnaryOperator<String> keyed) {

    public static final UnknownResolver NOTHING = new UnknownResolver(Map.of(), Map.of(), Map.of(), digest -> digest);

    public UnknownResolver {
        secrets = new TreeMap<>(secrets);
        fingerprints = new TreeMap<>(fingerprints);
        facts = new TreeMap<>(facts);
    }

    /** With more facts. */
    public UnknownResolver knowing(Map<String, String> more) {
        var all = new TreeMap<>(facts);
        all.putAll(more);
        return new UnknownResolver(secrets, fingerprints, all, keyed);
    }

    /** The final bytes of the file; empty while one of its secrets or facts is unknown. */
    public Optional<String> text(Item.File file, Contents contents) {
        var text = contents.text(file.body());
        return missing(file).isEmpty()
                ? Optional.of(Marker.close(text, name -> secrets.getOrDefault(name, ""), this::fact))
                : Optional.empty();
    }

    /** Fills in the known facts; secrets and other facts stay markers. */
    String known(String text) {
        return Marker.withFacts(text, this::fact);
    }

    /** Names of what is still unknown in the item. */
    public List<String> missing(Item item) {
        var missing = new ArrayList<String>();
        if (item instanceof Item.File file) {
            file.secrets().stream()
                    .filter(name -> !secrets.containsKey(name))
                    .map(name -> "secret " + name)
                    .forEach(missing::add);
        }
        missingFacts(Unknowns.in(item)).stream()
                .map(unknown -> unknown.fact() + " of " + unknown.machine())
                .forEach(missing::add);
        return missing;
    }

    List<Item.Unknown> missingFacts(Collection<Item.Unknown> unknowns) {
        return unknowns.stream()
                .filter(unknown -> !facts.containsKey(key(unknown)))
                .toList();
    }

    /** The item as the host must hold it: a file by the digest of its bytes. Unchanged as far as values are unknown. */
    public Item close(Item item, Contents contents) {
        if (!(item instanceof Item.File file)) {
            return Unknowns.filled(item, this::known);
        }
        return file.open()
                ? text(file, contents)
                        .map(text -> (Item) file.closed(Digests.sha256(text)))
                        .orElse(file)
                : file;
    }

    public Action close(Action action) {
        return Unknowns.filled(action, this::known);
    }

    /** The contract as a state may hold it: resolved, and without a bare digest of secret content. */
    public Contract recorded(Contract contract, Contents contents) {
        return new Contract(
                contract.role(),
                contract.host(),
                contract.items().stream().map(item -> recorded(item, contents)).toList(),
                contract.actions().stream().map(this::close).toList());
    }

    private Item recorded(Item item, Contents contents) {
        return close(item, contents) instanceof Item.File file && file.secret()
                ? file.closed(keyed.apply(file.body()))
                : close(item, contents);
    }

    /**
     * The fingerprint of a contract with the known facts filled in. An address becomes known once its machine exists;
     * the contract applied then and the contract rendered later must have the same fingerprint.
     *
     * @param rendered that of the contract as rendered
     */
    public String fingerprint(Contract contract, String rendered, Contents contents) {
        if (!Unknowns.in(contract)) {
            return rendered;
        }
        var items = contract.items().stream()
                .map(item -> item instanceof Item.File file ? known(file, contents) : close(item, contents))
                .toList();
        return Fingerprint.of(new Contract(
                contract.role(),
                contract.host(),
                items,
                contract.actions().stream().map(this::close).toList()));
    }

    private Item known(Item.File file, Contents contents) {
        return new Item.File(
                file.path(),
                file.owner(),
                file.group(),
                file.mode(),
                Digests.sha256(known(contents.text(file.body()))),
                file.secrets(),
                missingFacts(file.unknowns()),
                file.ownership(),
                file.phase(),
                file.wake());
    }

    /** An observation as a plan or a state may hold it: without a bare digest of secret content. */
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
        return "UnknownResolver[secrets=" + secrets.keySet() + ", facts=" + facts + "]";
    }

    private String fact(Item.Unknown unknown) {
        return facts.getOrDefault(key(unknown), Marker.fact(unknown));
    }

    private static String key(Item.Unknown unknown) {
        return unknown.machine() + "/" + unknown.fact();
    }
}
