package io.deepsite.provider;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.site.Name;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.load.ProviderModel;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;

/** A provider: its settings in site.yaml, and how its back-end is opened. */
public interface ProviderFactory<S extends ProviderSettings> extends ProviderModel<S> {
    /**
     * Makes no remote call.
     *
     * @param folder the folder of site.yaml; relative paths in the settings start here
     */
    Provider open(S settings, Path folder);

    /**
     * What the state records of the settings: which back-end it is, by keys of the settings. A key {@code project} says which
     * part of a back-end that has several; it is left out for the usual one.
     */
    SortedMap<String, String> recorded(S settings);

    /**
     * How many machines there are of the site's groups, where they exist already and files of this machine list them. Contacts
     * nothing; empty where site.yaml says it, or where no file does.
     */
    default OptionalInt listed(S settings, Path folder, Collection<Name> groups) {
        return OptionalInt.empty();
    }

    /**
     * The keys of the settings that choose a back-end without a site, each an option of the same name; all others keep their
     * defaults. None for a provider whose back-end only a site describes.
     */
    default List<String> options() {
        return List.of();
    }

    /**
     * Variables with which a program on this machine opens the same back-end by the {@link #options}, without being run by
     * this user; empty if that would take secrets that only the environment of this process has.
     */
    default Optional<SortedMap<String, String>> unattended(S settings) {
        return Optional.of(Collections.emptySortedMap());
    }

    /**
     * Makes the back-end trust the certificate that the settings name, and makes that certificate where there is none yet.
     *
     * @return what was done, a line each
     */
    default List<String> enroll(S settings, Path folder, Introduction introduction) {
        throw new Failure(Diagnostic.error(
                Code.NOT_WITH_PROVIDER,
                "A site of provider " + settings.provider() + " logs in with what its user has already.",
                "Nothing has to be enrolled; `deepsite doctor` checks that the login works."));
    }
}
