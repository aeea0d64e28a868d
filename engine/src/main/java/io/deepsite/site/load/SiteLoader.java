package io.deepsite.site.load;

import io.deepsite.site.Site;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Reads a site.yaml, reports all its faults in one run, and gives the site only when there is none. */
public final class SiteLoader {
    private final SiteModel model;

    public SiteLoader(SiteModel model) {
        this.model = model;
    }

    /**
     * @param file as the user typed it; diagnostics show it so
     * @param set values of parameters, by name
     */
    public LoadResult load(Path file, Map<String, String> set) {
        var findings = new Findings();
        Optional<String> text = new YamlReader(findings).text(file);
        return load(new SourceText(file.toString(), text.orElse("")), set, findings);
    }

    /** Reads a text that is not on disk; {@code file} is the name that diagnostics show. */
    public LoadResult load(String file, String text, Map<String, String> set) {
        return load(new SourceText(file, text), set, new Findings());
    }

    private LoadResult load(SourceText source, Map<String, String> set, Findings findings) {
        var places = new Places(source);
        var root = findings.none() ? new YamlReader(findings).root(source) : null;
        var homes = new KeyHomes(model, NamedKinds.of(root), NamedKinds.provider(root));
        var binder = new Binder(source, places, findings, Keys.SITE, homes);
        Site site = root == null ? null : binder.site(model.site(), root, set);
        if (site != null) {
            new SiteChecks(model, site, places, findings).run();
        }
        return new LoadResult(
                findings.none() ? site : null, findings.sorted(source.whole()), binder.parameterValues(), places);
    }
}
