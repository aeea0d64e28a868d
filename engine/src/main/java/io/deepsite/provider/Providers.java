package io.deepsite.provider;

import io.deepsite.site.Name;
import io.deepsite.site.ProviderSettings;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;

/** The providers that there are. */
public final class Providers {
    private final Map<String, ProviderFactory<?>> factories = new LinkedHashMap<>();

    /** @param factories in the order in which texts name them */
    public Providers(List<ProviderFactory<?>> factories) {
        factories.forEach(factory -> {
            if (this.factories.put(factory.name(), factory) != null) {
                throw new IllegalArgumentException("two providers are called " + factory.name());
            }
        });
    }

    public List<ProviderFactory<?>> all() {
        return List.copyOf(factories.values());
    }

    /** @see ProviderFactory#open */
    public Provider open(ProviderSettings settings, Path folder) {
        return of(settings).open(folder);
    }

    /** @see ProviderFactory#enroll */
    public List<String> enroll(ProviderSettings settings, Path folder, Introduction introduction) {
        return of(settings).enroll(folder, introduction);
    }

    /** @see ProviderFactory#recorded */
    public SortedMap<String, String> recorded(ProviderSettings settings) {
        return of(settings).recorded();
    }

    /** @see ProviderFactory#listed */
    public OptionalInt listed(ProviderSettings settings, Path folder, Collection<Name> groups) {
        return of(settings).listed(folder, groups);
    }

    /** @see ProviderFactory#options */
    public List<String> options(ProviderSettings settings) {
        return of(settings).factory().options();
    }

    /** @see ProviderFactory#unattended */
    public Optional<SortedMap<String, String>> unattended(ProviderSettings settings) {
        return of(settings).unattended();
    }

    private Known<?> of(ProviderSettings settings) {
        var factory = factories.get(settings.provider());
        if (factory == null) {
            throw new IllegalArgumentException("the provider " + settings.provider() + " is not known here");
        }
        return known(factory, settings);
    }

    private static <S extends ProviderSettings> Known<S> known(ProviderFactory<S> factory, ProviderSettings settings) {
        return new Known<>(factory, factory.settings().cast(settings));
    }

    private record Known<S extends ProviderSettings>(ProviderFactory<S> factory, S settings) {
        Provider open(Path folder) {
            return factory.open(settings, folder);
        }

        List<String> enroll(Path folder, Introduction introduction) {
            return factory.enroll(settings, folder, introduction);
        }

        OptionalInt listed(Path folder, Collection<Name> groups) {
            return factory.listed(settings, folder, groups);
        }

        Optional<SortedMap<String, String>> unattended() {
            return factory.unattended(settings);
        }

        SortedMap<String, String> recorded() {
            return factory.recorded(settings);
        }
    }
}
