package io.deepsite.cli;

import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Where;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.render.DeepsiteHome;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Kinds of clusters and providers that others add: those that the jars of a folder of {@code lib/extensions/} declare as
 * services. Each folder has a class loader of its own, so that the class path, which the AOT cache is made for, stays as it is.
 */
final class Extensions {
    private static final String BUILT_IN = "deepsite itself";

    private final List<ClusterKind<?>> kinds;
    private final List<ProviderFactory<?>> providers;
    /** Who has a kind, provider, role or folder of templates, by {@code kind slurm}. */
    private final Map<String, String> owners = new HashMap<>();

    private Extensions(ClusterKinds builtIn) {
        this.kinds = new ArrayList<>(builtIn.all());
        this.providers = new ArrayList<>(builtIn.providers().all());
    }

    /** @throws Failure EXTENSION for one whose classes cannot be used, or that contains what is there already */
    static ClusterKinds added(ClusterKinds builtIn, DeepsiteHome home) {
        return home.extensions().isEmpty() ? builtIn : new Extensions(builtIn).read(home);
    }

    private ClusterKinds read(DeepsiteHome home) {
        kinds.forEach(kind -> owners.put("kind " + kind.name(), BUILT_IN));
        providers.forEach(provider -> owners.put("provider " + provider.name(), BUILT_IN));
        own(home.roles(), "role ", BUILT_IN, home.root());
        own(home.templates(), "folder templates/", BUILT_IN, home.root());
        home.extensions().forEach(this::read);
        try {
            return new ClusterKinds(kinds, providers);
        } catch (IllegalArgumentException e) {
            throw unusable(home.root().resolve("lib/extensions"), e.getMessage() + ".");
        }
    }

    private void read(Path folder) {
        var name = String.valueOf(folder.getFileName());
        try {
            var loader = new URLClassLoader(name, jars(folder), Extensions.class.getClassLoader());
            for (ClusterKind<?> kind : services(ClusterKind.class, loader)) {
                own("kind " + kind.name(), name, folder);
                kinds.add(kind);
            }
            for (ProviderFactory<?> provider : services(ProviderFactory.class, loader)) {
                own("provider " + provider.name(), name, folder);
                providers.add(provider);
            }
        } catch (ServiceConfigurationError | LinkageError e) {
            throw unusable(folder, "Its classes cannot be loaded: " + e.getMessage() + ".");
        }
        own(folder.resolve("roles"), "role ", name, folder);
        own(folder.resolve("templates"), "folder templates/", name, folder);
    }

    /** Those of the folder's own jars: a class loader also finds the services of its parents. */
    private static <S> List<S> services(Class<S> service, ClassLoader loader) {
        return ServiceLoader.load(service, loader).stream()
                .filter(found -> loader.equals(found.type().getClassLoader()))
                .map(ServiceLoader.Provider::get)
                .toList();
    }

    private void own(Path parts, String what, String owner, Path folder) {
        DeepsiteHome.children(parts).stream()
                .filter(Files::isDirectory)
                .forEach(part -> own(what + part.getFileName(), owner, folder));
    }

    private void own(String what, String owner, Path folder) {
        var other = owners.putIfAbsent(what, owner);
        if (other != null) {
            throw unusable(folder, "It contains a " + what + ", and so does " + other + ".");
        }
    }

    private static URL[] jars(Path folder) {
        return DeepsiteHome.children(folder).stream()
                .filter(file -> file.toString().endsWith(".jar"))
                .map(Extensions::url)
                .toArray(URL[]::new);
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalStateException("a file has an address", e);
        }
    }

    private static Failure unusable(Path folder, String why) {
        return new Failure(Diagnostic.error(
                Code.EXTENSION,
                Where.file(folder.toString()),
                why,
                "Use a version of the extension that is made for this deepsite, or move its folder away."));
    }
}
