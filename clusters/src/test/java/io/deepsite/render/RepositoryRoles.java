package io.deepsite.render;

import io.deepsite.TestSites;
import io.deepsite.cluster.SampleBus;
import io.deepsite.provider.Machine;
import io.deepsite.provider.PciBus;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The roles of this repository, and every way in which sites use them. */
final class RepositoryRoles {
    static final DeepsiteHome HOME = DeepsiteHome.find();

    /** One role on one host. */
    record Use(String role, Machine machine, Map<String, Object> variables) {}

    private RepositoryRoles() {}

    static List<String> names() {
        return children(HOME.roles());
    }

    /** Paths below templates/. */
    static List<String> templates() {
        try (var files = Files.walk(HOME.templates())) {
            return files.filter(Files::isRegularFile)
                    .map(file -> HOME.templates().relativize(file).toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<Use> uses() {
        var site = TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: rich
                        provider: {lxd: {}}
                        machines:
                          head: {image: debian/12, cpus: 2, memory: 2GiB}
                          node: {count: 2, image: debian/12}
                        users:
                          ann: {uid: 2001, groups: [physics], name: Ann Example}
                          bob: {uid: 2002}
                        directory:
                          uris: ["ldaps://ldap.example.org"]
                          base: dc=example,dc=org
                          bind: cn=reader,dc=example,dc=org
                          allow: [chemistry]
                          minId: 10000
                          maxId: 49999
                        ssh: {certificates: {ownKeys: false}}
                        mirrors: {apt: {debian: "http://mirror.example/debian", debianSecurity: "http://mirror.example/security"}}
                        proxy: {http: "http://proxy.example:3128", https: "http://proxy.example:3128", noProxy: [mirror.example, .lab.example]}
                        clusters:
                          hpc:
                            kind: slurm
                            controller: head
                            compute: [node]
                            version: "22.05"
                            partitions:
                              short: {default: true, maxTime: 90m, defaultTime: 10m}
                              long: {maxTime: 2d, maxNodes: 1, allowGroups: [physics], qos: long}
                            qos: {long: {}}
                            reservations:
                              work: {start: "2026-12-01T08:00Z", duration: 4h, maintenance: true}
                              course: {start: "2026-12-01T08:00Z", duration: 1h, repeats: daily, users: [ann]}
                            software:
                              mpi: openmpi
                              modules: environment-modules
                              containers: [podman, udocker]
                              udocker: {archive: /srv/udocker.tar.gz, sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08}
                              infiniband: {}
                            monitoring: {addresses: [192.0.2.10/32]}
                            rest: {}
                            glue2: {domain: LAB, organisations: [biomed], groups: [node], addresses: [192.0.2.20/32]}
                            elastic: {node: {max: 3}}
                        volumes:
                          data: {mount: /data, groups: [head, node], group: physics}
                        """, Map.of()).orFail();
        var uses = new ArrayList<Use>();
        uses.add(new Use("motd", machine("head", "head", true, 0), Map.of()));
        for (var container : List.of(true, false)) {
            var machines = machines(container);
            uses.addAll(of(site, machines));
            uses.addAll(nodes(machines));
            uses.addAll(sharedCards(container));
            uses.addAll(kubernetes(container));
            uses.addAll(opennebula(container));
            uses.addAll(passthrough(container));
            uses.addAll(storage(container));
            uses.addAll(disks(container));
            uses.addAll(mesos(container));
            uses.addAll(of(RepositoryLxdHosts.SITE, RepositoryLxdHosts.machines(container)));
        }
        return uses;
    }

    /** Of a second cluster, so on machines of other names. */
    private static List<Use> sharedCards(boolean container) {
        var site = TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: rich
                        provider: {lxd: {}}
                        machines:
                          shared-head: {image: debian/12}
                          shared-card: {image: debian/12, cpus: 2, gpus: [{vendor: nvidia, count: 2}]}
                        clusters:
                          shared:
                            kind: slurm
                            controller: shared-head
                            compute: [shared-card]
                            gpuSharing: {shared-card: {mps: 100}}
                        """, Map.of()).orFail();
        return of(site, sharedCardsMachines(container));
    }

    private static List<Machine> sharedCardsMachines(boolean container) {
        return List.of(
                machine("shared-head", "shared-head", container, 0),
                machine("shared-card", "shared-card", container, 2));
    }

    /** One cloud per release, so on machines of other names. */
    private static List<Use> opennebula(boolean container) {
        var uses = new ArrayList<Use>();
        var key = HOME.root().resolve("README.md").toString();
        for (var release : List.of("6.10", "7.0")) {
            var site = TestSites.load(
                            "site.yaml",
                            """
                            apiVersion: deepsite/v1
                            site: rich
                            provider: {static: {inventory: hosts.yml}}
                            machines: {%1$s-front: {}, %1$s-kvm: {}}
                            users:
                              ann: {uid: 2001}
                            clusters:
                              %1$s:
                                kind: opennebula
                                version: %2$s
                                frontend: %1$s-front
                                hosts: [%1$s-kvm]
                                install: {packages: "https://packages.example.org/opennebula"%3$s}
                                networks:
                                  private: {bridge: br0, range: 10.80.0.0/24, first: 10.80.0.100, count: 9}
                                images:
                                  debian-12: {from: "https://images.example.org/debian-12.qcow2"}
                                passthrough: [{addresses: ["0000:3b:00.0"]}]
                                vmTemplates:
                                  uefi: {image: debian-12, firmware: /usr/share/OVMF/OVMF_CODE.fd, pci: [{shortAddress: "3b:00.0"}]}
                            """.formatted(nebula(release), release, release.equals("7.0") ? ", key: " + key : ""),
                            Map.of())
                    .orFail();
            uses.addAll(of(site, nebulaMachines(nebula(release), container)));
        }
        return uses;
    }

    /** One host per manufacturer, so on machines of other names. */
    private static List<Use> passthrough(boolean container) {
        var site = TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: rich
                        provider: {static: {inventory: hosts.yml}}
                        machines:
                          passing:
                            gpus: [{vendor: nvidia, model: tesla-v100}]
                            driver:
                              branch: 535
                              packages: [nvidia-driver, nvidia-kernel-dkms]
                              version: 535.104.05
                              repository:
                                uri: https://packages.example.org/nvidia/
                                keyFrom: https://packages.example.org/nvidia/key.asc
                                fingerprint: 0123456789ABCDEF0123456789ABCDEF01234567
                            passthrough:
                              - {address: "0000:01:00.0"}
                              - {kind: "10de:2204"}
                              - {address: "0000:03:00.0", virtualFunctions: 2}
                            nova: zed
                        """, Map.of()).orFail();
        return of(
                site,
                passingMachines(container),
                Map.of("passing-1", SampleBus.of("DMAR"), "passing-2", SampleBus.of("IVRS")));
    }

    private static List<Use> storage(boolean container) {
        var site = TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: rich
                        provider: {static: {inventory: hosts.yml}}
                        machines: {store: {}, reader: {}}
                        users:
                          ann: {uid: 2001, groups: [physics]}
                        volumes:
                          data: {mount: /data, groups: [reader], server: store, owner: ann, mode: "0750"}
                          old: {mount: /old, groups: [store, reader], nfs: "filer.example.org:/export/old"}
                        clusters:
                          scratchy:
                            kind: slurm
                            controller: store
                            compute: [reader]
                            scratch: {perJob: true}
                        """, Map.of()).orFail();
        return of(site, storageMachines(container));
    }

    private static List<Use> disks(boolean container) {
        var site = TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: rich
                        provider: {openstack: {}}
                        machines:
                          disk-head: {image: debian/12}
                          disk-node: {image: debian/12}
                        clusters:
                          disky:
                            kind: slurm
                            controller: disk-head
                            compute: [disk-node]
                            home: {size: 20GiB}
                        """, Map.of()).orFail();
        return of(site, disksMachines(container));
    }

    private static List<Machine> disksMachines(boolean container) {
        return List.of(
                machine("disk-head", "disk-head", container, 0, "10.0.7.1"),
                machine("disk-node", "disk-node", container, 0, "10.0.7.2"));
    }

    private static List<Machine> storageMachines(boolean container) {
        return List.of(
                machine("store", "store", container, 0, "10.0.6.1"),
                machine("reader", "reader", container, 0, "10.0.6.2"));
    }

    private static List<Machine> passingMachines(boolean container) {
        return List.of(
                machine("passing-1", "passing", container, 1, "10.0.2.1"),
                machine("passing-2", "passing", container, 1, "10.0.2.2"));
    }

    private static List<Use> mesos(boolean container) {
        var sum = "0123456789abcdef".repeat(4);
        var readme = HOME.root().resolve("README.md");
        var digest = "\"registry.example.org/it@sha256:" + sum + "\"";
        var uses = new ArrayList<Use>();
        uses.addAll(mesos(
                container,
                "mesos",
                "tarball: /srv/mesos.tar.gz, sha256: " + sum,
                "tarball: /srv/marathon.tgz, sha256: " + sum,
                "jar: /srv/chronos.jar, sha256: " + sum));
        uses.addAll(mesos(
                container,
                "mesos-packages",
                "packages: {repository: \"https://packages.example.org/mesos\", suite: bookworm, key: %s, version: 1.11.0-2.0.1}, image: %s"
                        .formatted(readme, digest),
                "version: 1.11.24-1.0.1",
                "image: " + digest));
        return uses;
    }

    private static List<Use> mesos(boolean container, String group, String install, String marathon, String chronos) {
        var site = TestSites.load(
                        "site.yaml",
                        """
                        apiVersion: deepsite/v1
                        site: rich
                        provider: {lxd: {}}
                        machines:
                          %5$s-master: {count: 3, image: debian/12, memory: 2GiB}
                          %5$s-agent: {count: 2, image: debian/12, gpus: [{vendor: nvidia, count: 2}]}
                          %5$s-lb: {count: 1, image: debian/12}
                        clusters:
                          tasks:
                            kind: mesos
                            masters: %5$s-master
                            agents: [%5$s-agent]
                            install: {%2$s}
                            gpu: {offer: [{group: %5$s-agent, count: 1}]}
                            marathon: {%3$s}
                            chronos: {%4$s}
                            loadBalancers: [%5$s-lb]
                            oidc:
                              url: https://mesos.example.org
                              issuer: https://iam.example.org
                              jwks: https://iam.example.org/jwk
                              clientId: mesos
                              groups: [ops]
                              caFile: %1$s
                              acceptance: check
                        """.formatted(HOME.root().resolve("README.md"), install, marathon, chronos, group),
                        Map.of())
                .orFail();
        return of(site, mesosMachines(group, container));
    }

    private static List<Machine> mesosMachines(String cluster, boolean container) {
        var machines = new ArrayList<Machine>();
        for (int i = 1; i <= 5; i++) {
            var group = i <= 3 ? cluster + "-master" : cluster + "-agent";
            machines.add(
                    machine(group + "-" + (i <= 3 ? i : i - 3), group, container, i <= 3 ? 0 : 2, "10.0.2.10" + i));
        }
        machines.add(machine(cluster + "-lb-1", cluster + "-lb", container, 0, "10.0.2.110"));
        return machines;
    }

    private static String nebula(String release) {
        return "cloud" + release.charAt(0);
    }

    private static List<Machine> nebulaMachines(String cloud, boolean container) {
        return List.of(
                machine(cloud + "-front", cloud + "-front", container, 0, "10.0.1.1"),
                machine(cloud + "-kvm-1", cloud + "-kvm", container, 0, "10.0.1.2"),
                machine(cloud + "-kvm-2", cloud + "-kvm", container, 0, "10.0.1.3"));
    }

    private static List<Use> of(Site site, List<Machine> machines) {
        return of(site, machines, Map.of());
    }

    private static List<Use> of(Site site, List<Machine> machines, Map<String, PciBus> buses) {
        var uses = new ArrayList<Use>();
        for (var stage : TestSites.stages(site, machines, buses)) {
            for (var machine : machines) {
                var variables = stage.variables().get(machine.name());
                if (variables != null) {
                    uses.add(new Use(stage.role(), machine, variables));
                }
            }
        }
        return uses;
    }

    /** One cluster per network plugin, so on machines of other names. */
    private static List<Use> kubernetes(boolean container) {
        var uses = new ArrayList<Use>();
        for (var plugin : List.of("bridge", "flannel")) {
            var site =
                    TestSites.load("site.yaml", """
                            apiVersion: deepsite/v1
                            site: rich
                            provider: {lxd: {}}
                            machines:
                              %1$s-control: {count: 3, image: debian/12, cpus: 2, memory: 2GiB}
                              %1$s-worker: {count: 2, image: debian/12}
                            users:
                              ann: {uid: 2001, groups: [physics], name: Ann Example}
                            clusters:
                              %1$s:
                                kind: kubernetes
                                version: 1.20.2
                                install: {packages: "https://packages.example.org/kubernetes/deb/"}
                                controlPlane: %1$s-control
                                workers: [%1$s-worker]
                                endpoint: {virtualAddress: 10.0.0.250}
                                network: {plugin: %1$s}
                                oidc: {issuer: "https://iam.example.org", clientId: kubernetes, groupsClaim: groups}
                                authorization:
                                  modes: [Node, RBAC, ABAC]
                                  policies: [{group: physics, readonly: true}]
                                access: [{group: physics, role: edit, namespace: physics}]
                            """.formatted(plugin), Map.of()).orFail();
            uses.addAll(of(site, kubernetesMachines(plugin, container)));
        }
        return uses;
    }

    private static List<Machine> kubernetesMachines(String plugin, boolean container) {
        var machines = new ArrayList<Machine>();
        for (int i = 1; i <= 5; i++) {
            var group = plugin + (i <= 3 ? "-control" : "-worker");
            machines.add(
                    machine(group + "-" + (i <= 3 ? i : i - 3), group, container, i == 5 ? 2 : 0, "10.0.0.10" + i));
        }
        return machines;
    }

    /** Configurations of a Kubernetes node that no single site combines: one per machine. */
    private static List<Use> nodes(List<Machine> machines) {
        var pause = Map.<String, Object>of("container_runtime_pause_image", "k8s.gcr.io/pause:3.2");
        var docker = Map.<String, Object>of(
                "container_runtime_name",
                "docker",
                "container_runtime_pause_image",
                "k8s.gcr.io/pause:3.2",
                "container_runtime_nvidia",
                true);
        var key = Map.of(
                "uris", List.of("https://packages.example.org"), "suites", List.of("/"), "signed_by", "/etc/key.asc");
        return List.of(
                new Use("container_runtime", machines.get(0), pause),
                new Use("kubernetes_node", machines.get(0), node("1.20.2", "binaries", "/srv/kubernetes", true)),
                new Use("container_runtime", machines.get(1), pause),
                new Use(
                        "kubernetes_node",
                        machines.get(1),
                        node("1.20.2", "binaries", "https://files.example.org", false)),
                new Use(
                        "nvidia_container_runtime",
                        machines.get(2),
                        Map.of("nvidia_container_runtime_cards", 2, "nvidia_container_runtime_repository", key)),
                new Use("container_runtime", machines.get(2), docker),
                new Use(
                        "kubernetes_node",
                        machines.get(2),
                        node("1.31.4", "packages", "https://deb.example.org/", false)));
    }

    private static Map<String, Object> node(String version, String how, String source, boolean ofControlPlane) {
        return Map.of(
                "kubernetes_node_version",
                version,
                "kubernetes_node_install",
                Map.of("how", how, "source", source),
                "kubernetes_node_control_plane",
                ofControlPlane);
    }

    static List<Machine> machines(boolean container) {
        return List.of(
                machine("head", "head", container, 0),
                machine("node-1", "node", container, 0),
                machine("node-2", "node", container, 2));
    }

    /** Every machine that a use names. */
    static List<Machine> allMachines(boolean container) {
        var machines = new ArrayList<>(machines(container));
        machines.addAll(kubernetesMachines("bridge", container));
        machines.addAll(kubernetesMachines("flannel", container));
        machines.addAll(nebulaMachines("cloud6", container));
        machines.addAll(nebulaMachines("cloud7", container));
        machines.addAll(passingMachines(container));
        machines.addAll(storageMachines(container));
        machines.addAll(disksMachines(container));
        machines.addAll(sharedCardsMachines(container));
        machines.addAll(mesosMachines("mesos", container));
        machines.addAll(mesosMachines("mesos-packages", container));
        machines.addAll(RepositoryLxdHosts.machines(container));
        return machines;
    }

    private static Machine machine(String name, String group, boolean container, int gpus) {
        return machine(name, group, container, gpus, "10.0.0." + (name.length() + gpus));
    }

    static Machine machine(String name, String group, boolean container, int gpus, String address) {
        var cards = new ArrayList<Machine.Gpu>();
        for (int i = 0; i < gpus; i++) {
            cards.add(new Machine.Gpu("nvidia", "tesla-k20m", "0000:17:00." + i, "/dev/nvidia" + i));
        }
        return new Machine(
                name,
                new Name(group),
                Optional.empty(),
                container ? "lxd" : "static",
                new Machine.Specs(2, 1027, container, cards),
                new Machine.Ssh(Optional.of(address), 22, "root", Optional.empty()));
    }

    private static List<String> children(Path folder) {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
