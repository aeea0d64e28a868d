package io.deepsite.cluster.mesos;

import io.deepsite.TestSites;
import io.deepsite.provider.Machine;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** A site with one Mesos cluster, and machines as a provider would give them. */
public final class MesosSite {
    public static final Name NAME = new Name("tasks");
    private static final String SUM = "0123456789abcdef".repeat(4);

    private MesosSite() {}

    public static final String FRAMEWORKS = """
            marathon: {tarball: /srv/marathon.tgz, sha256: %1$s}
            chronos: {jar: "https://files.example.org/chronos-3.0.2-1.jar", sha256: %1$s}
            loadBalancers: [lb]
            """.formatted(SUM);

    public static final String OIDC = """
            oidc:
              url: https://mesos.example.org
              issuer: https://iam.example.org/realms/lab
              jwks: https://iam.example.org/realms/lab/certs
              clientId: mesos
              groups: [ops]
              users: [alice]
              acceptance: deepsite-check
            """;

    public static final String IMAGE = "registry.example.org/%s@sha256:" + SUM;

    /** A repository; the key is a file that every checkout has. */
    public static final String PACKAGES =
            "packages: {repository: \"https://packages.example.org/mesos\", suite: bookworm, key: %s, version: 1.11.0-2.0.1}"
                    .formatted(DeepsiteHome.find().root().resolve(".editorconfig"));

    /** @param keys further lines of the cluster, each with a line break */
    public static Site site(int masters, String keys) {
        return site(
                masters,
                "agent, gpu",
                "tarball: \"https://files.example.org/mesos-1.11.0.tar.gz\", sha256: " + SUM,
                keys);
    }

    /** @param install where Mesos comes from */
    public static Site site(int masters, String agents, String install, String keys) {
        return TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: demo
                        provider:
                          lxd: {}
                        machines:
                          master: {count: %d, image: debian/12, cpus: 2, memory: 2GiB}
                          agent: {count: 1, image: debian/12, cpus: 4}
                          gpu: {count: 1, image: debian/12, gpus: [{vendor: nvidia, count: 2}]}
                          lb: {image: debian/12}
                        users:
                          alice: {uid: 2001}
                        clusters:
                          tasks:
                            kind: mesos
                            masters: master
                            agents: [%s]
                            install: {%s}
                        %s""".formatted(masters, agents, install, keys.indent(4)), Map.of())
                .orFail();
    }

    public static List<Machine> machines(int masters) {
        var machines = new ArrayList<Machine>();
        IntStream.rangeClosed(1, masters)
                .forEach(i -> machines.add(machine("master-" + i, "master", "10.0.0." + i, 2, List.of())));
        machines.add(machine("agent-1", "agent", "10.0.0.11", 4, List.of()));
        machines.add(machine(
                "gpu-1",
                "gpu",
                "10.0.0.21",
                1,
                List.of(
                        new Machine.Gpu("nvidia", "Tesla K40m", "0000:02:00.0", "/dev/nvidia0"),
                        new Machine.Gpu("nvidia", "Tesla K40m", "0000:03:00.0", "/dev/nvidia1"))));
        machines.add(machine("lb", "lb", "10.0.0.31", 1, List.of()));
        return machines;
    }

    private static Machine machine(String name, String group, String address, int cpus, List<Machine.Gpu> gpus) {
        return new Machine(
                name,
                new Name(group),
                Optional.empty(),
                "lxd",
                new Machine.Specs(cpus, 2048, true, gpus),
                new Machine.Ssh(Optional.of(address), 22, "root", Optional.empty()));
    }
}
