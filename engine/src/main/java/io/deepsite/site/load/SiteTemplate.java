package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Where;
import io.deepsite.site.Name;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The commented site.yaml that {@code deepsite init} writes. It loads without a fault. */
public final class SiteTemplate {
    public static final List<String> KINDS =
            List.of("slurm", "kubernetes", "opennebula", "mesos", "lxd-host", "openstack");
    public static final List<String> PROVIDERS = List.of("lxd", "openstack", "opennebula", "static");

    private static final String LXD = """
            provider:
              lxd:
                endpoint: unix:///var/lib/lxd/unix.socket
                pool: {name: deepsite, driver: btrfs, size: 20GiB}  # made if missing
                network: lxdbr0                                     # made if missing

            # lease: {duration: 4h, max: 24h}  # the site ends by itself; without this it stays until it is destroyed

            """;

    private static final String LXD_MACHINES = """
            machines:
              head: {image: debian/12, cpus: 2, memory: 2GiB}
              node: {image: debian/12, count: 2, cpus: 1, memory: 1GiB}
              # with a card of the host in each machine:
              # node: {image: debian/12, count: 2, gpus: [{vendor: nvidia, model: tesla-k20m, count: 1}]}

            """;

    private static final String OPENSTACK = """
            provider:
              openstack:
                cloud: lab            # in clouds.yaml; without it the OS_* variables count
                # region: RegionOne
                network:
                  cidr: 10.64.0.0/24  # made for the site, with a router to
                  external: public    # this network, where the floating IP comes from too
                bastion: head         # has the floating IP; SSH to the others goes through it

            # lease: {duration: 4h, max: 24h}  # the site ends by itself; without this it stays until it is destroyed

            ssh:
              user: root

            """;

    private static final String OPENSTACK_MACHINES = """
            machines:
              head: {image: debian-12, cpus: 2, memory: 2GiB}  # the smallest flavor that has this
              node: {image: debian-12, count: 2, cpus: 1, memory: 1GiB}
              # with a GPU in each machine, from a flavor that has one:
              # node: {image: debian-12, count: 2, gpus: [{vendor: nvidia, count: 1}]}

            """;

    private static final String OPENNEBULA_PROVIDER = """
            provider:
              opennebula:
                # endpoint: https://one.example:2633/RPC2  # without it ONE_XMLRPC, else http://localhost:2633/RPC2
                # auth: ~/.one/one_auth                    # the file with user:password; without it that of ONE_AUTH
                network:
                  existing: lab-net     # a virtual network that is there; cidr: 10.65.0.0/24 makes one instead
                images:
                  debian-12: {app: Debian 12}  # of the marketplace; without this an image of that name is used

            # lease: {duration: 4h, max: 24h}  # the site ends by itself; without this it stays until it is destroyed

            ssh:
              user: root

            """;

    private static final String OPENNEBULA_MACHINES = """
            machines:
              head: {image: debian-12, cpus: 2, memory: 2GiB, disk: 10GiB}
              node: {image: debian-12, count: 2, cpus: 1, memory: 1GiB, disk: 10GiB}
              # with a card of a host in each machine:
              # node: {image: debian-12, count: 2, gpus: [{vendor: nvidia, model: a100, count: 1}]}

            """;

    private static final String STATIC = """
            provider:
              static:
                inventory: hosts.yml  # an Ansible inventory; its groups are named as the machine groups below

            ssh:
              user: root              # or a user with sudo without a password
              # key: ~/.ssh/id_ed25519

            """;

    private static final String STATIC_MACHINES = """
            machines:
              head: {cpus: 2, memory: 2GiB}
              node: {cpus: 2, memory: 2GiB}

            """;

    private static final String SLURM = """
            clusters:
              hpc:
                kind: slurm
                controller: head
                compute: [node]
                accounting: true
                home: {shared: true}
                # partitions:
                #   short: {maxTime: 1h, default: true}
                #   long: {maxTime: 2d, maxNodes: 1}

            """;

    private static final String KUBERNETES = """
            clusters:
              k8s:
                kind: kubernetes
                version: 1.31.4
                controlPlane: head  # one machine, or three and an endpoint
                workers: [node]
                # network: {plugin: bridge}  # without VXLAN, for machines in one network segment
                # access:
                #   - {group: physics, role: edit, namespace: physics}

            """;

    private static final String OPENNEBULA = """
            clusters:
              cloud:
                kind: opennebula
                version: "6.10"
                frontend: head
                hosts: [node]
                install: {packages: "https://downloads.opennebula.io/repo/6.10/Debian/12"}  # or your own copy of it
                networks:
                  private: {bridge: br0, range: 10.80.0.0/24, first: 10.80.0.100, count: 100, gateway: 10.80.0.1}
                images:
                  debian-12: {from: "https://images.example.org/debian-12.qcow2"}  # with OpenNebula's context packages
                # passthrough: [{vendor: "10de", class: "0302"}]  # cards that the hosts give away
                vmTemplates:
                  small: {cpus: 1, memory: 1GiB, image: debian-12, network: private}

            """;

    private static final String MESOS = """
            clusters:
              tasks:
                kind: mesos
                masters: head  # one machine, or three: an even number is refused
                agents: [node]
                install:       # an archive with bin, sbin, lib and libexec of Mesos, such as your own build
                  tarball: https://files.example.org/mesos-1.11.0.tar.gz
                  sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08  # sha256sum of yours
                docker: false
                # marathon: {tarball: "https://files.example.org/marathon.tgz", sha256: …}
                # chronos: {jar: "https://files.example.org/chronos-3.0.2-1.jar", sha256: …}

            """;

    private static final String LXD_HOST = """
            clusters:
              lxd:
                kind: lxd-host
                hosts: [node]
                lxd:
                  pool: nova
                  driver: btrfs
                  size: 60GiB            # a loop file; or
                  # device: /dev/sdb     # an empty disk
                  leftover: remove       # LXD's other pools go when they hold nothing
                  # moveInstances: true  # and what lies in them is moved (apply --allow reboot)

            """;

    private static final String OPENSTACK_CLOUD = """
            clusters:
              cloud:
                kind: openstack
                method: packages         # or devstack: who installed OpenStack
                given: true              # it stands; its compute hosts get LXD's pool and Nova's options
                release: stein           # or queens, rocky: these have a driver for LXD
                compute: [node]
                lxd: {pool: nova, driver: btrfs, size: 60GiB}

            """;

    private static final String USERS = """
            # users:
            #   alice:
            #     uid: 2001
            #     groups: [physics]
            #     keys: ["ssh-ed25519 AAAA… alice@laptop"]  # the one line of her .pub file
            """;

    /** The word for machines alone. */
    public static final String NO_CLUSTER = "none";

    private SiteTemplate() {}

    /**
     * @param kind of the one cluster; empty for machines alone
     * @param file how the comment calls it
     * @throws Failure for a kind or provider that this version does not know
     */
    public static String text(Optional<String> kind, String provider, Name site, String file) {
        var text = new StringBuilder("""
                # deepsite plan %s shows what this would make; deepsite apply makes it, and proves it works.
                # deepsite explain KEY tells about any key, such as machines.gpus.
                apiVersion: %s
                site: %s

                """.formatted(file, SiteModel.API_VERSION, site));
        switch (provider) {
            case "lxd" -> text.append(LXD).append(LXD_MACHINES);
            case "openstack" -> text.append(OPENSTACK).append(OPENSTACK_MACHINES);
            case "opennebula" -> text.append(OPENNEBULA_PROVIDER).append(OPENNEBULA_MACHINES);
            case "static" -> text.append(STATIC).append(STATIC_MACHINES);
            default -> throw unknown("--provider", provider, PROVIDERS);
        }
        if (kind.isPresent()) {
            if (!KINDS.contains(kind.get())) {
                throw unknown(
                        "--kind",
                        kind.get(),
                        Stream.concat(KINDS.stream(), Stream.of(NO_CLUSTER)).toList());
            }
            if (kind.get().equals("opennebula") && provider.equals("lxd")) {
                throw new Failure(Diagnostic.error(
                        Code.NOT_WITH_PROVIDER,
                        Where.file("--kind opennebula --provider lxd"),
                        "Machines of LXD are containers, and these run no virtual machines.",
                        "Choose --provider static or openstack."));
            }
            text.append(
                    switch (kind.get()) {
                        case "kubernetes" -> KUBERNETES;
                        case "opennebula" -> OPENNEBULA;
                        case "mesos" -> MESOS;
                        case "lxd-host" -> LXD_HOST;
                        case "openstack" -> OPENSTACK_CLOUD;
                        default -> SLURM;
                    });
        }
        return text.append(USERS).toString();
    }

    private static Failure unknown(String option, String written, List<String> known) {
        return new Failure(Diagnostic.error(
                Code.UNKNOWN_KIND,
                Where.file(option + " " + Wording.safe(written)),
                Wording.quoted(written) + " is not known to this version: " + Wording.anyOf(known) + ".",
                Wording.didYouMean(written, known, "")));
    }
}
