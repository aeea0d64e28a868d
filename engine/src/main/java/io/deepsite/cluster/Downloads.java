package io.deepsite.cluster;

import io.deepsite.provider.Machine;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Mirrors;
import io.deepsite.site.Proxy;
import io.deepsite.site.Release;
import io.deepsite.site.Site;
import io.deepsite.site.WebAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The stage for package mirrors and proxies, if the site has any; it comes before all others. */
final class Downloads {
    static final String STAGE = "site.downloads";

    private Downloads() {}

    /** The stages, each after the download stage of its hosts. */
    static List<Stage> first(Site site, List<Machine> machines, List<Stage> stages) {
        var variables = variables(site, machines);
        if (variables.isEmpty()) {
            return stages;
        }
        var all = new ArrayList<Stage>();
        all.add(new Stage(STAGE, "downloads", variables, 0, List.of(), false));
        stages.forEach(stage -> all.add(stage.needing(STAGE)));
        return all;
    }

    private static Map<String, Map<String, Object>> variables(Site site, List<Machine> machines) {
        var byHost = new LinkedHashMap<String, Map<String, Object>>();
        for (var machine : machines) {
            var variables = new LinkedHashMap<String, Object>();
            Optional.ofNullable(site.machines().get(machine.group()))
                    .flatMap(MachineGroup::image)
                    .flatMap(Release::of)
                    .ifPresent(release -> archives(site.mirrors().apt(), release, variables));
            if (site.proxy().isSet()) {
                proxy(site.proxy(), variables);
            }
            if (!variables.isEmpty()) {
                byHost.put(machine.name(), variables);
            }
        }
        return byHost;
    }

    private static void archives(Mirrors.Apt mirrors, Release release, Map<String, Object> variables) {
        boolean debian = release.distribution().equals("debian");
        var main = debian ? mirrors.debian() : mirrors.ubuntu();
        if (main.isEmpty()) {
            return;
        }
        var name = release.codename();
        var archives = new ArrayList<Map<String, Object>>();
        archives.add(archive(main.get(), name + " " + name + "-updates"));
        (debian ? mirrors.debianSecurity() : mirrors.ubuntuSecurity())
                .ifPresent(security -> archives.add(archive(security, name + "-security")));
        variables.put("downloads_distribution", release.distribution());
        variables.put("downloads_components", debian ? "main" : "main universe");
        variables.put("downloads_archives", archives);
    }

    private static Map<String, Object> archive(WebAddress address, String suites) {
        return Map.of("uri", address.value(), "suites", suites);
    }

    private static void proxy(Proxy proxy, Map<String, Object> variables) {
        variables.put(
                "downloads_http_proxy", proxy.http().map(WebAddress::value).orElse(""));
        variables.put(
                "downloads_https_proxy", proxy.https().map(WebAddress::value).orElse(""));
        variables.put("downloads_no_proxy", proxy.noProxy());
        // apt matches exact names only, and uses :: itself as a separator.
        variables.put(
                "downloads_direct",
                proxy.noProxy().stream()
                        .filter(name -> name.matches("[A-Za-z0-9][A-Za-z0-9.-]*"))
                        .toList());
    }
}
