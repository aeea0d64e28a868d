package io.deepsite.cli;

import io.deepsite.cli.view.Json;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Where;
import io.deepsite.provider.Provider;
import io.deepsite.provider.ProviderFactory;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.load.Wording;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which back-end, for commands that concern all of its sites. */
final class BackEndOptions {
    @Option(
            names = "--provider",
            paramLabel = "PROVIDER",
            order = 70,
            defaultValue = "lxd",
            completionCandidates = Openable.class,
            description = "Kind of the back-end: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private String provider = "lxd";

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            order = 71,
            description =
                    "Where it listens (default: the LXD or Incus of this host; with opennebula as ONE_XMLRPC says).")
    private @Nullable String endpoint;

    @Option(
            names = "--project",
            paramLabel = "NAME",
            order = 72,
            description = "With lxd or incus: the project there (default: default).")
    private @Nullable String project;

    @Option(
            names = "--cloud",
            paramLabel = "NAME",
            order = 73,
            description = "With openstack: the cloud of clouds.yaml (default: as the OS_* variables say).")
    private @Nullable String cloud;

    @Option(
            names = "--region",
            paramLabel = "NAME",
            order = 74,
            description = "With openstack: the region of the cloud (default: as clouds.yaml or OS_REGION_NAME says).")
    private @Nullable String region;

    @Option(
            names = {"-s", "--site"},
            paramLabel = "FILE",
            order = 79,
            description = "Take the back-end of this site instead.")
    private @Nullable Path site;

    /** The providers whose back-end can be opened without a site. */
    static final class Openable extends Words.Known {
        Openable(ClusterKinds kinds) {
            super(kinds.providers().all().stream()
                    .filter(factory -> !factory.options().isEmpty())
                    .map(ProviderFactory::name)
                    .toList());
        }
    }

    Provider open(CommandContext at) {
        var opened = site == null ? ofOptions(at) : ofSite(at, site);
        opened.warnings().forEach(at::notice);
        return opened;
    }

    private static Provider ofSite(CommandContext at, Path site) {
        at.about(new SiteWords(site, Map.of(), ""));
        var folder = site.toAbsolutePath().getParent();
        return at.kinds()
                .providers()
                .open(at.loader().load(site, Map.of()).orFail().provider(), folder == null ? site : folder);
    }

    private Provider ofOptions(CommandContext at) {
        return at.kinds().providers().open(settings(at), Path.of("").toAbsolutePath());
    }

    /** Those of a site that has the options as keys, and defaults for all others. */
    private ProviderSettings settings(CommandContext at) {
        var keys = new TreeMap<String, String>();
        put(keys, "endpoint", endpoint);
        put(keys, "project", project);
        put(keys, "cloud", cloud);
        put(keys, "region", region);
        keys.keySet().retainAll(factory(at.kinds()).options());
        var text = """
                apiVersion: deepsite/v1
                site: any
                machines: {one: {image: debian/12}}
                provider: %s
                """.formatted(Json.line(Map.of(provider, keys)));
        var result = at.loader().load("site.yaml", text, Map.of());
        result.diagnostics().stream().filter(Diagnostic::isError).findFirst().ifPresent(fault -> {
            throw new Failure(
                    Diagnostic.error(fault.code(), Where.file("--provider " + provider), fault.why(), fault.fix()));
        });
        return result.orFail().provider();
    }

    private ProviderFactory<?> factory(ClusterKinds kinds) {
        var names = new Openable(kinds);
        return kinds.providers().all().stream()
                .filter(factory -> factory.name().equals(provider) && names.contains(provider))
                .findFirst()
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.COMMAND_LINE,
                        "No back-end is opened by --provider " + Wording.quoted(provider) + ", only by "
                                + Wording.anyOf(names) + ".",
                        Wording.didYouMean(provider, names, "Name a site instead: --site site.yaml."))));
    }

    private static void put(Map<String, String> keys, String name, @Nullable String value) {
        if (value != null) {
            keys.put(name, value);
        }
    }
}
