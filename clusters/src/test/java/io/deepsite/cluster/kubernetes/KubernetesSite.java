package io.deepsite.cluster.kubernetes;

import io.deepsite.TestSites;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A site with one Kubernetes cluster, and machines as a provider would give them. */
public final class KubernetesSite {
    public static final Name NAME = new Name("k8s");

    private KubernetesSite() {}

    /** @param keys more lines of the cluster, each with a line break */
    public static Site site(String version, int controlPlane, String keys) {
        // The public repository begins with 1.24.
        boolean needsSource = KubernetesVersion.parse(version).minor() < KubernetesVersion.OLDEST_PACKAGED_MINOR
                && !keys.contains("install:");
        var source = needsSource ? "install: {packages: \"https://packages.example.org/kubernetes/deb/\"}\n" : "";
        return TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: demo
                        provider:
                          lxd: {}
                        machines:
                          control: {count: %d, image: debian/12, cpus: 2, memory: 2GiB}
                          worker: {count: 2, image: debian/12}
                        users:
                          alice: {uid: 2001, groups: [physics]}
                        clusters:
                          k8s:
                            kind: kubernetes
                            version: %s
                            controlPlane: control
                            workers: [worker]
                        %s""".formatted(controlPlane, version, (source + keys).indent(4)), Map.of())
                .orFail();
    }

    public static Kubernetes cluster(Site site) {
        return (Kubernetes) site.clusters().values().iterator().next();
    }

    public static List<Machine> machines(int controlPlane, int workers, boolean containers) {
        var machines = new ArrayList<Machine>();
        for (int i = 1; i <= controlPlane; i++) {
            machines.add(machine("control-" + i, "control", "10.64.0.1" + i, containers));
        }
        for (int i = 1; i <= workers; i++) {
            machines.add(machine("worker-" + i, "worker", "10.64.0.2" + i, containers));
        }
        return machines;
    }

    private static Machine machine(String name, String group, String address, boolean container) {
        return new Machine(
                name,
                new Name(group),
                Optional.empty(),
                "lxd",
                new Machine.Specs(2, 2048, container, List.of()),
                new Machine.Ssh(Optional.of(address), 22, "root", Optional.empty()));
    }

    public static Machine withGpus(Machine machine, List<Machine.Gpu> gpus) {
        return new Machine(
                machine.name(),
                machine.group(),
                machine.resource(),
                machine.provider(),
                new Machine.Specs(machine.cpus(), machine.memoryMebibytes(), machine.container(), gpus),
                machine.ssh());
    }
}
