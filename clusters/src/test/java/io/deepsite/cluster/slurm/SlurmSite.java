package io.deepsite.cluster.slurm;

import io.deepsite.TestSites;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A site with one Slurm cluster, and machines as a provider would give them. */
public final class SlurmSite {
    private static final String YAML = """
                    apiVersion: deepsite/v1
                    site: quickstart
                    provider:
                      lxd: {}
                    machines:
                      head: {image: debian/12, cpus: 2, memory: 2GiB}
                      node: {count: 2, image: debian/12}
                    users:
                      alice: {uid: 2001, groups: [physics]}
                    clusters:
                      hpc:
                        kind: slurm
                        controller: head
                        compute: [node]
                        partitions:
                          batch: {maxTime: 2d, defaultTime: 1h}
                          short: {maxTime: 10m, maxNodes: 1, allowGroups: [physics]}
                    """;

    public static final Site SITE = site("debian/12");

    /** With accounts, QOS, and a limit of each kind. */
    public static final Site LIMITED =
            TestSites.load("site.yaml", """
                    apiVersion: deepsite/v1
                    site: quickstart
                    provider:
                      lxd: {}
                    machines:
                      head: {image: debian/12, cpus: 2, memory: 2GiB}
                      node: {count: 2, image: debian/12, gpus: [{vendor: nvidia}]}
                    users:
                      alice: {uid: 2001, groups: [physics]}
                      bob: {uid: 2002}
                    clusters:
                      hpc:
                        kind: slurm
                        controller: head
                        compute: [node]
                        defaultMemoryPerCpu: 256MiB
                        maxMemoryPerCpu: 512MiB
                        partitions:
                          batch: {}
                          large: {defaultMemoryPerCpu: 128MiB, maxMemoryPerCpu: 1GiB}
                        priority: {age: 500, halfLife: 12h}
                        preemption: cancel
                        accounts:
                          physics: {parent: science, fairShare: 5, groups: [physics], qos: [normal, long, scavenger], perUser: {cpus: 2, jobs: 2}, perJob: {time: 90s}}
                          science: {fairShare: 20, users: [bob, alice], total: {cpus: 3, memory: 1GiB, submittedJobs: 5}}
                        qos:
                          long: {priority: 10, preempts: [scavenger], perUser: {memory: 512MiB}, perAccount: {jobs: 7}, perJob: {gpus: 1, time: 2d}}
                          scavenger: {graceTime: 30s, total: {nodes: 1}}
                        reservations:
                          course: {start: "2026-12-01T09:00+01:00", duration: 3h, repeats: weekly, nodes: 1, accounts: [physics]}
                          work: {start: "2026-12-01T08:00Z", duration: 1d, maintenance: true}
                    """, Map.of()).orFail();

    /** With all software that users can have. */
    public static final Site SOFTWARE =
            TestSites.load("site.yaml", """
                    apiVersion: deepsite/v1
                    site: quickstart
                    provider:
                      lxd: {}
                    machines:
                      head: {image: debian/12, cpus: 2, memory: 2GiB}
                      node: {count: 2, image: debian/12}
                    users:
                      alice: {uid: 2001}
                    clusters:
                      hpc:
                        kind: slurm
                        controller: head
                        compute: [node]
                        software:
                          mpi: openmpi
                          modules: lmod
                          modulePath: [/home/modules]
                          containers: [podman, charliecloud, udocker, apptainer]
                          udocker:
                            archive: /srv/udocker-1.3.16.tar.gz
                            sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                          apptainer:
                            archive: https://files.example.org/apptainer_1.5.3_amd64.deb
                            sha256: 0a00f0b0516cd51dc22b8b0b2b1f4bf3a51ad05caaef2a9d567c488180d68f9f
                          infiniband: {devices: ["mlx5_0:1"]}
                          packages: [gcc, libopenmpi-dev]
                    """, Map.of()).orFail();

    /** Whose nodes after the first exist only while jobs need them. */
    public static final Site ELASTIC =
            TestSites.load("site.yaml", """
                    apiVersion: deepsite/v1
                    site: quickstart
                    provider:
                      lxd: {}
                    machines:
                      head: {image: debian/12, cpus: 2, memory: 2GiB}
                      node: {count: 1, image: debian/12, memory: 1GiB}
                    clusters:
                      hpc:
                        kind: slurm
                        controller: head
                        compute: [node]
                        elastic:
                          node: {max: 3, idle: 5m}
                    """, Map.of()).orFail();

    private SlurmSite() {}

    static Site site(String image) {
        return site(image, "");
    }

    /** @param key one more key of the cluster, with its value */
    public static Site site(String image, String key) {
        return TestSites.load("site.yaml", YAML.replace("debian/12", image) + "    " + key + "\n", Map.of())
                .orFail();
    }

    public static List<Machine> machines(int nodes, boolean containers) {
        return machines(nodes, containers, List.of());
    }

    public static List<Machine> machines(int nodes, boolean containers, List<Machine.Gpu> gpus) {
        var machines = new ArrayList<Machine>();
        machines.add(machine("head", "head", "10.0.0.100", containers, List.of()));
        for (int i = 1; i <= nodes; i++) {
            machines.add(machine("node-" + i, "node", "10.0.0." + i, containers, i == 1 ? gpus : List.of()));
        }
        return machines;
    }

    private static Machine machine(
            String name, String group, String address, boolean container, List<Machine.Gpu> gpus) {
        return new Machine(
                name,
                new Name(group),
                Optional.empty(),
                "lxd",
                new Machine.Specs(1, 1024, container, gpus),
                new Machine.Ssh(Optional.of(address), 22, "root", Optional.empty()));
    }
}
