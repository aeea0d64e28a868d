package io.deepsite.cli;

import io.deepsite.cli.view.Json;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.site.Site;
import io.deepsite.site.load.SiteLoader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code deepsite validate}: all faults of a site.yaml at once. */
@Command(
        name = "validate",
        description = {
            "Check a site.yaml; nothing is contacted.",
            "Every fault of the file is reported in one run, with its place, the reason and the fix."
        },
        footer = {"  deepsite validate", "  deepsite validate lab/site.yaml --set nodes=4 --json"})
final class ValidateCommand extends DeepsiteCommand {
    @Mixin
    private SiteFile target = new SiteFile();

    ValidateCommand(Workplace at) {
        super(at);
    }

    @Override
    protected int run() {
        var loaded = SiteLoader.load(target.file(), target.set());
        if (json) {
            var result = new LinkedHashMap<String, Object>();
            result.put("valid", loaded.site().isPresent());
            result.put("diagnostics", Json.diagnostics(loaded.diagnostics()));
            printJson(result);
        } else {
            at.tell(loaded.diagnostics());
            loaded.site().ifPresent(site -> print(target.file() + " is valid: " + summary(site) + "\n"));
        }
        return exit(loaded.diagnostics()).number();
    }

    private static ExitCode exit(List<Diagnostic> diagnostics) {
        return diagnostics.stream()
                .filter(Diagnostic::isError)
                .findFirst()
                .map(first -> first.code().exit())
                .orElse(ExitCode.DONE);
    }

    private static String summary(Site site) {
        int machines = site.machines().keySet().stream()
                .mapToInt(group -> site.machineNames(group).size())
                .sum();
        var clusters = site.clusters().entrySet().stream()
                .map(cluster -> cluster.getKey() + " (" + cluster.getValue().kind() + ")")
                .collect(Collectors.joining(", "));
        return "site " + site.name() + ", " + machines + (machines == 1 ? " machine" : " machines") + " through "
                + site.provider().provider() + (clusters.isEmpty() ? "" : ", clusters " + clusters);
    }
}
