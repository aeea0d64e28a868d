package io.deepsite.operations;

import io.deepsite.ansible.ControlNodes;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Diagnostic;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.Name;
import io.deepsite.state.SiteStores;
import io.deepsite.state.StateFolder;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What an operation takes from the process it runs in.
 *
 * @param tool version of deepsite
 * @param userHome the user's own folder
 * @param root of the file system that gets timers and lines of cron, and says which of both runs
 * @param ssh how long hosts may take to connect and log in
 * @param kinds of clusters that a site.yaml may have
 * @param nodes where Ansible runs
 * @param stores opens the records of sites
 * @param notices gets what is worth telling but ends nothing
 */
public record RuntimeContext(
        DeepsiteHome home,
        String tool,
        Map<String, String> environment,
        Path userHome,
        Path root,
        InstantSource clock,
        SshTimes ssh,
        ClusterKinds kinds,
        ControlNodes nodes,
        SiteStores.Factory stores,
        Consumer<Diagnostic> notices) {
    public RuntimeContext {
        environment = Map.copyOf(environment);
    }

    /** Ansible runs on this machine. */
    public RuntimeContext(
            DeepsiteHome home,
            String tool,
            Map<String, String> environment,
            Path userHome,
            Path root,
            InstantSource clock,
            SshTimes ssh,
            ClusterKinds kinds,
            SiteStores.Factory stores,
            Consumer<Diagnostic> notices) {
        this(home, tool, environment, userHome, root, clock, ssh, kinds, ControlNodes.THIS, stores, notices);
    }

    public RuntimeContext with(SiteStores.Factory others) {
        return new RuntimeContext(home, tool, environment, userHome, root, clock, ssh, kinds, nodes, others, notices);
    }

    public RuntimeContext with(ControlNodes others) {
        return new RuntimeContext(home, tool, environment, userHome, root, clock, ssh, kinds, others, stores, notices);
    }

    public RuntimeContext withNotices(Consumer<Diagnostic> others) {
        return new RuntimeContext(home, tool, environment, userHome, root, clock, ssh, kinds, nodes, stores, others);
    }

    /**
     * The records of a site; its caller closes them.
     *
     * @param siteFile its site.yaml
     */
    public SiteStores records(Path siteFile, Name site) {
        var folder = StateFolder.of(siteFile, site.value());
        return stores.open(new SiteStores.Opening(folder, site.value(), tool, clock, notices));
    }
}
