package io.deepsite.render;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads YAML that a host wrote: maps, lists, texts and numbers; refuses aliases, which can expand without bound. */
public final class ForeignYaml {
    private ForeignYaml() {}

    /** @throws IllegalArgumentException if it is not such YAML */
    public static @Nullable Object read(String text) {
        var options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        options.setMaxAliasesForCollections(0);
        try {
            return new Yaml(new SafeConstructor(options)).load(text);
        } catch (YAMLException e) {
            throw new IllegalArgumentException("it is not YAML", e);
        }
    }
}
