package io.deepsite.render;

import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** YAML that a host wrote: maps, lists, texts and numbers, without aliases that make much of little. */
public final class ForeignYaml {
    private ForeignYaml() {}

    /** @throws IllegalArgumentException when it is none */
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
