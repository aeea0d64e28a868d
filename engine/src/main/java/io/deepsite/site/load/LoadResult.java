package io.deepsite.site.load;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Where;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What became of one reading of site.yaml: a site, or every fault of the file. */
public final class LoadResult {
    private final @Nullable Site site;
    private final List<Diagnostic> diagnostics;
    private final Map<String, String> parameters;
    private final Places places;

    LoadResult(@Nullable Site site, List<Diagnostic> diagnostics, Map<String, String> parameters, Places places) {
        this.site = site;
        this.diagnostics = List.copyOf(diagnostics);
        this.parameters = Map.copyOf(parameters);
        this.places = places;
    }

    /** The same reading, of a site that was derived from what the file says. */
    public LoadResult of(Site derived) {
        return new LoadResult(derived, diagnostics, parameters, places);
    }

    /** Empty when there is an error among the diagnostics. */
    public Optional<Site> site() {
        return Optional.ofNullable(site);
    }

    /** @throws Failure with all diagnostics */
    public Site orFail() {
        return site().orElseThrow(() -> new Failure(diagnostics));
    }

    /** Where the file says it, {@code clusters.k8s.version}; the nearest above where it leaves that out. */
    public Where where(String path) {
        return places.of(path);
    }

    /** In the order of the file. */
    public List<Diagnostic> diagnostics() {
        return diagnostics;
    }

    /** Every declared parameter with the value of this run. */
    public Map<String, String> parameters() {
        return parameters;
    }
}
