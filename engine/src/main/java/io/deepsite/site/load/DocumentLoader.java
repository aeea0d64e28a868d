package io.deepsite.site.load;

import io.deepsite.diag.Failure;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.Node;

/**
 * Reads files other than site.yaml that hold one record of keys each, with all faults of a file in one run.
 *
 * @param model a record whose components have a {@link io.deepsite.site.Key}
 * @param what such a file is called in messages
 * @param example a key with a value, for a file that has none
 * @param help where to find whole files
 */
public record DocumentLoader<T extends Record>(Class<T> model, String what, String example, String help) {

    /** What must hold between the keys. */
    public interface Check<T> {
        void run(Places places, Findings findings, T document);
    }

    /**
     * @param file as the user typed it; diagnostics show it so
     * @throws Failure with all faults of the file
     */
    public T load(Path file, Check<T> check) {
        var findings = new Findings();
        Optional<String> text = new YamlReader(findings).text(file);
        return load(new SourceText(file.toString(), text.orElse("")), check, findings);
    }

    /**
     * Reads a text that is not on disk; {@code file} is the name that diagnostics show.
     *
     * @throws Failure with all faults of the text
     */
    public T load(String file, String text, Check<T> check) {
        return load(new SourceText(file, text), check, new Findings());
    }

    private T load(SourceText source, Check<T> check, Findings findings) {
        var places = new Places(source);
        @Nullable Node root = findings.none() ? new YamlReader(findings).root(source) : null;
        var bound = root == null
                ? null
                : new Binder(source, places, findings, what, Keys.Homes.NONE, Confinement.NONE)
                        .document(SiteModel.document(model), root, Map.of(), example, help);
        if (model.isInstance(bound)) {
            var document = model.cast(bound);
            check.run(places, findings, document);
            if (findings.none()) {
                return document;
            }
        }
        throw new Failure(findings.sorted(source.whole()));
    }
}
