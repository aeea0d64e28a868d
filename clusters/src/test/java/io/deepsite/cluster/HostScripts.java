package io.deepsite.cluster;

import io.deepsite.TestSites;
import io.deepsite.contract.Item;
import io.deepsite.provider.Machine;
import io.deepsite.provider.PciBus;
import io.deepsite.remote.Executable;
import io.deepsite.render.ContractRenderer;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Site;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Runs scripts of a cluster's hosts here: one folder replaces Kubernetes' files, the kernel's and the scripts
 * themselves, and stand-ins of programs give set answers.
 */
public record HostScripts(Path folder, Site site, List<Machine> machines, Map<String, PciBus> buses) {
    private static final String SBIN = "/usr/local/sbin/";
    private static final List<String> ELSEWHERE = List.of(
            "/etc/kubernetes/deepsite/", "/etc/kubernetes/", "/etc/one/", "/var/lib/one/.one/", SBIN, "/proc/swaps");
    /** Whole trees, each in its own place below the folder. */
    private static final List<String> TREES = List.of(
            "/sys/bus/pci/devices",
            "/sys/class/iommu",
            "/sys/module/nvidia",
            "/proc/cmdline",
            "/proc/driver/nvidia",
            "/etc/udev/rules.d",
            "/etc/libvirt",
            "/usr/sbin/policy-rc.d",
            "/var/lib/deepsite/slurm-upgrade",
            "/run/");

    /** For machines without device passthrough. */
    public HostScripts(Path folder, Site site, List<Machine> machines) {
        this(folder, site, machines, Map.of());
    }

    public record Said(int exit, String out, String err) {}

    public void program(String name, String body) throws IOException {
        Executable.write(folder.resolve(name), "#!/bin/sh\n" + body);
    }

    /** Runs a script of a host, with the host's other scripts beside it. */
    public Said run(String host, String script, String... arguments) throws Exception {
        for (var each : of(host).entrySet()) {
            var text = each.getValue();
            for (var path : ELSEWHERE) {
                text = text.replace(path, path.endsWith("/") ? folder + "/" : folder + path);
            }
            for (var path : TREES) {
                text = text.replace(path, folder + path);
            }
            Executable.write(folder.resolve(each.getKey()), text);
        }
        var argv = new ArrayList<>(List.of(folder.resolve(script).toString()));
        argv.addAll(List.of(arguments));
        var out = folder.resolve("out");
        var err = folder.resolve("err");
        var builder = new ProcessBuilder(argv)
                .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().put("PATH", folder + ":" + System.getenv("PATH"));
        int exit = builder.start().waitFor();
        return new Said(
                exit, Files.readString(out, StandardCharsets.UTF_8), Files.readString(err, StandardCharsets.UTF_8));
    }

    /** Rendered, by name. */
    public Map<String, String> of(String host) {
        var machine = machines.stream()
                .filter(each -> each.name().equals(host))
                .findFirst()
                .orElseThrow();
        var home = DeepsiteHome.find();
        var roles = new ContractRenderer(home, new TemplateRenderer(home));
        var scripts = new TreeMap<String, String>();
        for (var stage : TestSites.stages(site, machines, buses)) {
            var variables = stage.variables().get(host);
            if (variables == null) {
                continue;
            }
            var rendered = roles.render(stage.role(), machine, new SiteScope(machines), variables);
            for (var item : rendered.contract().items()) {
                if (item instanceof Item.File file && file.path().startsWith(SBIN)) {
                    scripts.put(
                            file.path().substring(SBIN.length()),
                            rendered.texts().get(file.body()));
                }
            }
        }
        return scripts;
    }
}
