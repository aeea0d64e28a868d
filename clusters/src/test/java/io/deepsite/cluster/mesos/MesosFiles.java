package io.deepsite.cluster.mesos;

import io.deepsite.TestSites;
import io.deepsite.contract.Item;
import io.deepsite.provider.Machine;
import io.deepsite.render.ContractRenderer;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The files of a Mesos cluster as installed on its hosts. */
final class MesosFiles {
    private static final DeepsiteHome HOME = DeepsiteHome.find();
    private static final ContractRenderer ROLES = new ContractRenderer(HOME, new TemplateRenderer(HOME));

    private MesosFiles() {}

    /** A host's files by path; secrets stay markers. */
    static Map<String, String> on(Site site, List<Machine> machines, String host) {
        var machine = machines.stream()
                .filter(each -> each.name().equals(host))
                .findFirst()
                .orElseThrow();
        var files = new TreeMap<String, String>();
        for (var stage : TestSites.stages(site, machines)) {
            var variables = stage.variables().get(host);
            if (variables != null && stage.name().startsWith(MesosSite.NAME + ".")) {
                var rendered = ROLES.render(stage.role(), machine, new SiteScope(machines), variables);
                for (var item : rendered.contract().items()) {
                    if (item instanceof Item.File file) {
                        files.put(file.path(), rendered.texts().getOrDefault(file.body(), ""));
                    }
                }
            }
        }
        return files;
    }
}
