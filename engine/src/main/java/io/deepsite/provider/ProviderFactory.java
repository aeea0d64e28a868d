package io.deepsite.provider;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.site.ProviderSettings;
import java.nio.file.Path;
import java.util.List;

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

    /**
     * Makes the back-end trust the certificate that the settings name, and makes that certificate where there is none yet.
     *
     * @return what was done, a line each
     */
    default List<String> enroll(ProviderSettings settings, Path folder, Introduction introduction) {
        throw new Failure(Diagnostic.error(
                Code.NOT_WITH_PROVIDER,
                "A site of provider " + settings.provider() + " logs in with what its user has already.",
                "Nothing has to be enrolled; `deepsite doctor` checks that the login works."));
    }
}
