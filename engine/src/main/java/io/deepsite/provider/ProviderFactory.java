package io.deepsite.provider;

import io.deepsite.site.ProviderSettings;
import java.nio.file.Path;

/** Found by ServiceLoader. */
public interface ProviderFactory {
    /** The provider's key in site.yaml. */
    String name();

    /**
     * Makes no remote call.
     *
     * @param folder the folder of site.yaml; relative paths in the settings start here
     */
    Provider open(ProviderSettings settings, Path folder);
}
