package io.deepsite.cluster.slurm;

import static io.deepsite.cluster.ClusterStages.in;

import io.deepsite.cluster.ClusterCommand;
import io.deepsite.cluster.InvocationContext;
import io.deepsite.cluster.SiteAccess;
import io.deepsite.cluster.SiteStages;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.provider.Machine;
import io.deepsite.render.JsonText;
import io.deepsite.site.Name;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deepsite monitoring}: what Prometheus and Grafana need of a cluster. */
@Command(
        name = "monitoring",
        description = {
            "Write files for Prometheus and Grafana that watch a Slurm cluster.",
            "The cluster's machines as targets, a configuration that reads them, rules of alerts, a dashboard. Several sites"
                    + " and clusters share one folder: each has its own file of targets. Rewrites what it wrote before."
        },
        footer = {
            "  deepsite monitoring --output /etc/prometheus/deepsite",
            "  deepsite monitoring hpc --output monitoring --site lab/site.yaml"
        })
final class MonitoringCommand implements ClusterCommand {
    private static final List<String> SAME_FOR_ALL =
            List.of("deepsite-prometheus.yml", "deepsite-rules.yml", "deepsite-dashboard.json");

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "CLUSTER",
            description = "A cluster of site.yaml; may be left out if one only runs Slurm.")
    private @Nullable String cluster;

    @Option(
            names = {"-o", "--output"},
            paramLabel = "FOLDER",
            required = true,
            description = "Where the files go.")
    private Path output = Path.of("");

    @Override
    public int run(InvocationContext context) {
        return context.withSite(site -> {
            var name = OnlySlurm.name(site, context, cluster, "monitoring");
            var slurm = site.cluster(name, new SlurmKind(), "no metrics");
            if (slurm.monitoring().isEmpty()) {
                throw new Failure(Diagnostic.error(
                        Code.NOT_WITH_KIND,
                        name + " has no key monitoring, so its machines tell no metrics.",
                        "Add monitoring: {addresses: [...]} to it and apply."));
            }
            var targets = "targets/" + site.site().name() + "-" + name + ".json";
            write(targets, JsonText.of(targets(site, name, slurm)));
            SAME_FOR_ALL.forEach(file -> write(file, resource(file)));
            if (context.json()) {
                context.printJson(Map.of("folder", output.toString(), "targets", targets, "files", SAME_FOR_ALL));
            } else {
                context.print("Wrote " + targets + ", " + String.join(", ", SAME_FOR_ALL) + " in " + output + ".\n");
            }
            return ExitCode.DONE.number();
        });
    }

    /** As Prometheus' discovery by files takes them; of machines that exist. */
    private static List<Map<String, Object>> targets(SiteAccess site, Name name, Slurm slurm) {
        return in(slurm.groups(), site.machines()).stream()
                .filter(machine -> machine.address().isPresent())
                .map(machine -> {
                    var labels = new LinkedHashMap<String, Object>();
                    labels.put("instance", machine.name());
                    labels.put("site", site.site().name().value());
                    labels.put("cluster", name.value());
                    labels.put("part", machine.group().equals(slurm.controller()) ? "controller" : "compute");
                    var target = new LinkedHashMap<String, Object>();
                    target.put("targets", List.of(target(machine)));
                    target.put("labels", labels);
                    return (Map<String, Object>) target;
                })
                .toList();
    }

    private static String target(Machine machine) {
        var address = SiteStages.address(machine);
        return (address.contains(":") ? "[" + address + "]" : address) + ":" + SlurmMonitoring.PORT;
    }

    private void write(String file, String text) {
        var path = output.resolve(file);
        try {
            Files.createDirectories(Objects.requireNonNull(path.getParent()));
            Files.writeString(path, text);
        } catch (IOException e) {
            throw FileFault.notWritten(path, e);
        }
    }

    private static String resource(String file) {
        try (var stream = MonitoringCommand.class.getResourceAsStream(file)) {
            return new String(Objects.requireNonNull(stream, file).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
