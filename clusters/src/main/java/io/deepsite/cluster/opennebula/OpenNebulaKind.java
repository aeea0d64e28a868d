package io.deepsite.cluster.opennebula;

import static io.deepsite.cluster.ClusterStages.stage;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.ClusterKind;
import io.deepsite.cluster.SiteStages;
import io.deepsite.cluster.Stage;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Requirements.Flow;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import io.deepsite.site.load.CheckContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/**
 * An OpenNebula cloud: a front-end with oned, its database and the key to all hosts; hosts with libvirt; then hosts, networks,
 * images, accounts and templates as objects of the cloud.
 */
public final class OpenNebulaKind implements ClusterKind<OpenNebula> {
    private static final Size FRONTEND_MEMORY = Size.parse("1GiB");
    private static final Size HOST_MEMORY = Size.parse("512MiB");
    private static final String SSH_PORT = "22";
    /** Hosts report their state to monitord by UDP; the first message uses TCP. */
    private static final String MONITOR_PORT = "4124";

    private static final String MIGRATION_PORTS = "49152-49215";

    @Override
    public String name() {
        return "opennebula";
    }

    @Override
    public Class<OpenNebula> model() {
        return OpenNebula.class;
    }

    @Override
    public void check(CheckContext context, Name name, OpenNebula cluster) {
        new OpenNebulaChecks(context, name, cluster).run();
    }

    @Override
    public SortedMap<String, String> madeWith(OpenNebula cluster) {
        return OpenNebulaLayout.madeWith(cluster);
    }

    @Override
    public Requirements requirements(Site site, Name name, OpenNebula cloud) {
        var groups = new LinkedHashMap<Name, Requirements.Group>();
        cloud.hosts()
                .forEach(group -> groups.put(
                        group, new Requirements.Group(false, List.of(), List.of(), 1, Optional.of(HOST_MEMORY))));
        groups.put(
                cloud.frontend(), new Requirements.Group(false, List.of(), List.of(), 1, Optional.of(FRONTEND_MEMORY)));
        var flows = new ArrayList<Flow>();
        for (var host : cloud.hosts()) {
            flows.add(new Flow(cloud.frontend(), host, "tcp", SSH_PORT));
            flows.add(new Flow(host, cloud.frontend(), "tcp", SSH_PORT));
            flows.add(new Flow(host, cloud.frontend(), "tcp", MONITOR_PORT));
            flows.add(new Flow(host, cloud.frontend(), "udp", MONITOR_PORT));
            for (var other : cloud.hosts()) {
                flows.add(new Flow(host, other, "tcp", SSH_PORT));
                flows.add(new Flow(host, other, "tcp", MIGRATION_PORTS));
            }
        }
        return new Requirements(groups, flows).with(OpenNebulaChecks.frontends(name, cloud));
    }

    @Override
    public List<Stage> stages(Site site, Name name, OpenNebula cloud, List<Machine> machines) {
        var layout = new OpenNebulaLayout(site, name, cloud, machines);
        var all = layout.all();
        var stages = new ArrayList<Stage>();
        var first = new ArrayList<>(List.of(SiteStages.HOSTS, SiteStages.USERS));
        if (!cloud.install().given()) {
            stages.add(stage(name, "opennebula_repository", all, layout::repository, first));
            first.add(name + ".opennebula_repository");
        }
        stages.add(
                stage(name, "opennebula_frontend", List.of(layout.frontend()), _ -> layout.frontendVariables(), first));
        var afterHosts = new ArrayList<>(List.of(name + ".opennebula_frontend"));
        if (!layout.hosts().isEmpty()) {
            // A host is registered at the front-end, which must therefore exist.
            var before = new ArrayList<>(first);
            before.add(name + ".opennebula_frontend");
            stages.add(stage(name, "opennebula_kvm_host", layout.hosts(), layout::host, before));
            afterHosts.add(name + ".opennebula_kvm_host");
        }
        stages.add(stage(name, "opennebula_cloud", List.of(layout.frontend()), _ -> layout.cloud(), afterHosts)
                .afterEveryHost());
        return stages;
    }

    @Override
    public List<Acceptance> acceptance(Site site, Name name, OpenNebula cloud, List<Machine> machines) {
        var layout = new OpenNebulaLayout(site, name, cloud, machines);
        return List.of(new Acceptance(
                name.value(), cloud.kind(), layout.frontend().name(), "opennebula/verify.sh.j2", layout.proof()));
    }

    @Override
    public boolean configuresLibvirt(OpenNebula cloud, Name group) {
        return cloud.hosts().contains(group);
    }

    @Override
    public CommandPrefix commandPrefix(
            Site site, Name name, OpenNebula cloud, List<Machine> machines, Optional<Name> user) {
        throw new Failure(Diagnostic.error(
                Code.NOT_WITH_KIND,
                name + " is an OpenNebula cloud: it runs virtual machines, not commands.",
                "Start a machine of one of its templates, on the front-end:",
                "deepsite ssh "
                        + new OpenNebulaLayout(site, name, cloud, machines)
                                .frontend()
                                .name()));
    }
}
