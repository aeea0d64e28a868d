package io.deepsite.site.load;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where a key belongs that was found in the wrong place. A place counts only if the file can have it: of the kinds of its
 * clusters, of its provider, and of what this version enforces. Otherwise the hint would lead to the next fault.
 */
final class KeyHomes implements Keys.Homes {
    private static final String CLUSTERS = "clusters";
    private static final String CLUSTER = "clusters.<name>";
    private static final String PROVIDER = "provider";

    private final SiteModel model;
    private final Map<String, String> kinds;
    private final Optional<String> provider;
    private @Nullable Catalogue catalogue;

    /**
     * @param kinds of the file's clusters, by name
     * @param provider that the file names
     */
    KeyHomes(SiteModel model, Map<String, String> kinds, Optional<String> provider) {
        this.model = model;
        this.kinds = Map.copyOf(kinds);
        this.provider = provider;
    }

    @Override
    public Optional<String> hint(String key, String path) {
        if (catalogue == null) {
            catalogue = new Catalogue(model);
        }
        var all = catalogue.homes(key);
        var homes = all.stream().filter(this::isOfProvider).toList();
        if (homes.isEmpty() && provider.isPresent()) {
            return ofOthers(all, provider.get());
        }
        var own = cluster(path).map(kinds::get);
        var reachable = homes.stream()
                .filter(home -> home.kind().isEmpty()
                        || own.map(home.kind().get()::equals)
                                .orElseGet(() -> kinds.containsValue(home.kind().get())))
                .toList();
        if (reachable.isEmpty()) {
            return elsewhere(homes, own);
        }
        var texts = reachable.stream().map(home -> named(home, path)).distinct().toList();
        return texts.size() == 1
                ? Optional.of("It is a key of " + texts.getFirst() + "; move it there.")
                : Optional.empty();
    }

    private boolean isOfProvider(Catalogue.Home home) {
        return !home.path().getFirst().equals(PROVIDER)
                || home.path().size() == 1
                || provider.map(home.path().get(1)::equals).orElse(true);
    }

    private static Optional<String> ofOthers(List<Catalogue.Home> homes, String provider) {
        var others = homes.stream().map(home -> home.path().get(1)).distinct().toList();
        return others.isEmpty()
                ? Optional.empty()
                : Optional.of("Only the provider " + Wording.anyOf(others) + " has it; this site's is "
                        + Wording.safe(provider) + ". Remove it.");
    }

    /** Of a key that only kinds have of which the file has no cluster, or not this one. */
    private static Optional<String> elsewhere(List<Catalogue.Home> homes, Optional<String> own) {
        var places = homes.stream().map(Catalogue.Home::text).distinct().toList();
        if (places.size() != 1) {
            return Optional.empty();
        }
        var others =
                homes.stream().flatMap(home -> home.kind().stream()).distinct().toList();
        return Optional.of("Only clusters of kind " + Wording.anyOf(others) + " have it"
                + (places.getFirst().equals(CLUSTER) ? "" : ", in " + places.getFirst())
                + own.map(kind -> "; this one is of kind " + kind).orElse("; this site has none") + ". Remove it.");
    }

    /** With the name of the cluster where only one can be meant. */
    private String named(Catalogue.Home home, String path) {
        if (home.kind().isEmpty()) {
            return home.text();
        }
        String kind = home.kind().get();
        var names = cluster(path)
                .map(List::of)
                .orElseGet(() -> kinds.entrySet().stream()
                        .filter(entry -> entry.getValue().equals(kind))
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toList()));
        return names.size() == 1
                ? home.text().replace(CLUSTER, CLUSTERS + "." + Wording.safe(names.getFirst()))
                : home.text() + " in kind " + kind;
    }

    /** The cluster that the path is inside of. */
    private Optional<String> cluster(String path) {
        return kinds.keySet().stream()
                .filter(name -> {
                    String start = CLUSTERS + "." + Wording.safe(name);
                    return path.equals(start) || path.startsWith(start + ".") || path.startsWith(start + "[");
                })
                .findFirst();
    }
}
