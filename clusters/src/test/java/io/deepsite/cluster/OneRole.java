package io.deepsite.cluster;

import io.deepsite.TestSites;
import io.deepsite.provider.Machine;
import io.deepsite.render.ContractRenderer;
import io.deepsite.render.ContractRenderer.Rendered;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.render.TemplateRenderer;
import io.deepsite.site.Site;
import java.util.List;
import java.util.Objects;

/** One role of one host, as a site configures it. */
public final class OneRole {
    private static final DeepsiteHome HOME = DeepsiteHome.find();
    private static final ContractRenderer ROLES = new ContractRenderer(HOME, new TemplateRenderer(HOME));

    private OneRole() {}

    public static Rendered of(Site site, List<Machine> machines, String role, String host) {
        var machine = machines.stream()
                .filter(each -> each.name().equals(host))
                .findFirst()
                .orElseThrow();
        var stage = TestSites.stages(site, machines).stream()
                .filter(each -> each.role().equals(role))
                .findFirst()
                .orElseThrow();
        return ROLES.render(
                role,
                machine,
                new SiteScope(machines),
                Objects.requireNonNull(stage.variables().get(host)));
    }
}
