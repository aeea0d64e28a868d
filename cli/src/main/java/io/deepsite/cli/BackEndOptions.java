package io.deepsite.cli;

import io.deepsite.operations.Providers;
import io.deepsite.provider.Provider;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which back-end, for commands that concern all of its sites. */
final class BackEndOptions {
    enum Kind {
        lxd,
        openstack,
        opennebula
    }

    @Option(
            names = "--provider",
            paramLabel = "PROVIDER",
            order = 70,
            defaultValue = "lxd",
            description = "Kind of the back-end: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private Kind provider = Kind.lxd;

    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            order = 71,
            description =
                    "Where it listens (default: the LXD daemon of this host; with opennebula as ONE_XMLRPC says).")
    private @Nullable String endpoint;

    @Option(
            names = "--project",
            paramLabel = "NAME",
            order = 72,
            description = "With lxd: the project of LXD (default: default).")
    private @Nullable String project;

    @Option(
            names = "--cloud",
            paramLabel = "NAME",
            order = 73,
            description = "With openstack: the cloud of clouds.yaml (default: as the OS_* variables say).")
    private @Nullable String cloud;

    @Option(
            names = {"-s", "--site"},
            paramLabel = "FILE",
            order = 79,
            description = "Take the back-end of this site instead.")
    private @Nullable Path site;

    Provider open(CommandContext at) {
        if (site != null) {
            at.about(new SiteWords(site, Map.of()));
            var folder = site.toAbsolutePath().getParent();
            var ofSite = Providers.open(
                    at.loader().load(site, Map.of()).orFail().provider(), folder == null ? site : folder);
            ofSite.warnings().forEach(at::notice);
            return ofSite;
        }
        var opened = switch (provider) {
            case lxd -> Providers.open(Optional.ofNullable(endpoint), Optional.ofNullable(project));
            case openstack -> Providers.openCloud(Optional.ofNullable(cloud));
            case opennebula -> Providers.openFrontEnd(Optional.ofNullable(endpoint));
        };
        opened.warnings().forEach(at::notice);
        return opened;
    }
}
