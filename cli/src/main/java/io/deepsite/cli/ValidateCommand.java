package io.deepsite.cli;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.DiagnosticFields;
import io.deepsite.diag.ExitCode;
import io.deepsite.operations.ImmutableKeys;
import io.deepsite.operations.ImportedUids;
import io.deepsite.operations.OfflineRenderCheck;
import io.deepsite.site.Site;
import io.deepsite.state.SiteState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code deepsite validate}: reports all faults of a site.yaml at once. */
@Command(
        name = "validate",
        description = {
            "Check a site.yaml without contacting anything.",
            "Reports every fault of the file in one run, with its place, the reason and the fix. Then renders the roles,"
                    + " which also finds conflicts between two roles on a host, and changes that an applied cluster does not"
                    + " allow."
        },
        footer = {"  deepsite validate", "  deepsite validate lab/site.yaml --set nodes=4 --json"})
final class ValidateCommand extends DeepsiteCommand {
    @Mixin
    private SiteFile target = new SiteFile();

    ValidateCommand(CommandContext at) {
        super(at);
    }

    @Override
    protected int run() {
        at.about(new SiteWords(target.file(), target.set(), target.store()));
        var loaded = at.loader().load(target.file(), target.set());
        var diagnostics = new ArrayList<>(loaded.diagnostics());
        loaded.site().ifPresent(site -> {
            diagnostics.addAll(OfflineRenderCheck.faults(site, target.file(), SiteContexts.runtime(at)));
            recorded(site).ifPresent(state -> {
                diagnostics.addAll(ImmutableKeys.faults(at.kinds(), loaded, state));
                diagnostics.addAll(ImportedUids.faults(loaded, state));
            });
        });
        boolean valid = diagnostics.stream().noneMatch(Diagnostic::isError);
        if (json) {
            var result = new LinkedHashMap<String, Object>();
            result.put("valid", valid);
            result.put("diagnostics", DiagnosticFields.of(at.typeable(diagnostics)));
            printJson(result);
        } else {
            at.tell(diagnostics);
            loaded.site()
                    .filter(_ -> valid)
                    .ifPresent(site -> print(target.file() + " is valid: " + summary(site) + "\n"));
        }
        return exit(diagnostics).number();
    }

    @Override
    protected boolean isOffline() {
        return true;
    }

    private Optional<SiteState> recorded(Site site) {
        try (var records = SiteContexts.runtime(at).records(target.file(), site.name())) {
            return records.state().read();
        }
    }

    private static ExitCode exit(List<Diagnostic> diagnostics) {
        return diagnostics.stream()
                .filter(Diagnostic::isError)
                .findFirst()
                .map(first -> first.code().exit())
                .orElse(ExitCode.DONE);
    }

    private String summary(Site site) {
        var clusters = site.clusters().entrySet().stream()
                .map(cluster -> cluster.getKey() + " (" + cluster.getValue().kind() + ")")
                .collect(Collectors.joining(", "));
        return "site " + site.name() + ", " + machines(site) + " on "
                + site.provider().provider() + (clusters.isEmpty() ? "" : ", clusters " + clusters);
    }

    /** As many as a plan counts. */
    private String machines(Site site) {
        var groups = site.machines().keySet();
        var number = site.provider().machinesExist()
                ? at.kinds().providers().listed(site.provider(), folder(), groups)
                : OptionalInt.of(groups.stream()
                        .mapToInt(group -> site.machineNames(group).size())
                        .sum());
        return number.isEmpty()
                ? "the machines of its inventory"
                : number.getAsInt() + (number.getAsInt() == 1 ? " machine" : " machines");
    }

    private Path folder() {
        return Objects.requireNonNull(target.file().toAbsolutePath().getParent());
    }
}
