package io.deepsite.site.load;

import io.deepsite.site.Site;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

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
        return load(new SourceText(file.toString(), text.orElse("")), set, findings, Confinement.NONE);
    }

    /** Reads a text that is not on disk; {@code file} is the name that diagnostics show. */
    public LoadResult load(String file, String text, Map<String, String> set) {
        return load(new SourceText(file, text), set, new Findings(), Confinement.NONE);
    }

    /**
     * Reads what somebody wrote who may decide on the site's own machines and on nothing else: every key that could reach
     * further is a fault ({@link io.deepsite.site.Key#confined()}), but for those that are granted.
     *
     * @param granted keys at the top of the file that were put there by somebody who is trusted
     */
    public LoadResult loadConfined(String file, String text, Map<String, String> set, Set<String> granted) {
        return load(new SourceText(file, text), set, new Findings(), Confinement.but(granted));
    }

    /**
     * The file of users that a site names with {@code usersFrom}, whether or not it exists.
     *
     * @param file the site.yaml
     */
    public static Optional<Path> usersFile(Path file, Site site) {
        return site.usersFrom().map(named -> UsersFrom.file(file, named));
    }

    /** The keys at the top of a text; none if it is no map. */
    public static Set<String> topKeys(String text) {
        var root = new YamlReader(new Findings()).root(new SourceText("", text));
        return root instanceof MappingNode mapping && mapping.getFlowStyle() != DumperOptions.FlowStyle.FLOW
                ? mapping.getValue().stream()
                        .map(NodeTuple::getKeyNode)
                        .flatMap(key -> key instanceof ScalarNode word ? Stream.of(word.getValue()) : Stream.of())
                        .collect(Collectors.toSet())
                : Set.of();
    }

    private LoadResult load(SourceText source, Map<String, String> set, Findings findings, Confinement confinement) {
        var places = new Places(source);
        var root = findings.none() ? new YamlReader(findings).root(source) : null;
        var homes = new KeyHomes(model, NamedKinds.of(root), NamedKinds.provider(root));
        var binder = new Binder(source, places, findings, Keys.SITE, homes, confinement);
        Site site = root == null ? null : binder.site(model.site(), root, set);
        if (site != null) {
            site = new UsersFrom(places, findings).merged(site, Path.of(source.file()));
            new SiteChecks(model, site, places, findings).run();
        }
        return new LoadResult(
                findings.none() ? site : null, findings.sorted(source.whole()), binder.parameterValues(), places);
    }
}
