package io.deepsite.cluster.mesos;

import io.deepsite.diag.Code;
import io.deepsite.site.ChangeImpact;
import io.deepsite.site.Cluster;
import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.OneOf;
import io.deepsite.site.OtherKeys;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A Mesos cluster: masters with a ZooKeeper ensemble, agents that offer what they have, frameworks that run work on them. */
public record Mesos(
        @Key(
                value = "The group (of an odd number of machines) that runs the masters, ZooKeeper and the frameworks.",
                example = "master",
                impact = ChangeImpact.REPLACE)
        Name masters,

        @Key(
                value = "The groups whose machines run tasks.",
                example = "[agent]",
                required = true,
                impact = ChangeImpact.RESTART)
        List<Name> agents,

        @Key(value = "Where Mesos comes from.", impact = ChangeImpact.RESTART)
        Install install,

        @Key(
                value = "Agents run tasks in Docker's containers, too, with the distribution's docker.io.",
                defaultValue = "true",
                impact = ChangeImpact.RESTART)
        boolean docker,

        @Key(value = "How the GPUs of agents are offered.", impact = ChangeImpact.RESTART)
        Gpu gpu,

        @Key(
                value = "Marathon, for services; on all masters, one of them leads.",
                requires =
                        @OtherKeys(
                                value = "install.packages",
                                when = "marathon.version",
                                why = "The version is that of a package.",
                                fix = "Add packages: to install, or name a tarball or an image of Marathon."),
                impact = ChangeImpact.RESTART)
        Optional<Marathon> marathon,

        @Key(value = "Chronos, for jobs with a time; on all masters, one of them leads.", impact = ChangeImpact.RESTART)
        Optional<Chronos> chronos,

        @Key(
                value = "The groups whose machines pass connections on to services of Marathon.",
                example = "[lb]",
                requires =
                        @OtherKeys(
                                value = "marathon",
                                why = "Load balancers pass connections on to services of Marathon."),
                impact = ChangeImpact.RESTART)
        List<Name> loadBalancers,

        @Key(
                value = "A web server with TLS in front of Mesos, Marathon and Chronos, whose users log in at an OpenID"
                        + " Connect provider; on the load balancers, or on the masters where there are none.",
                impact = ChangeImpact.RESTART)
        Optional<MesosOidc> oidc)
        implements Cluster {
    public Mesos {
        agents = List.copyOf(agents);
        loadBalancers = List.copyOf(loadBalancers);
    }

    @Override
    public String kind() {
        return "mesos";
    }

    /** The groups whose machines are the front door of {@link #oidc}. */
    public List<Name> doors() {
        return loadBalancers.isEmpty() ? List.of(masters) : loadBalancers;
    }

    @Override
    public boolean runsCommands() {
        return chronos.isPresent();
    }

    @Override
    public Set<Name> groups() {
        var groups = new LinkedHashSet<Name>();
        groups.add(masters);
        groups.addAll(agents);
        groups.addAll(loadBalancers);
        return groups;
    }

    @Override
    public List<Part> parts() {
        return List.of(
                new Part("masters", List.of(masters)),
                new Part("agents", agents),
                new Part("loadBalancers", loadBalancers));
    }

    /**
     * An archive or packages, an image, or both of them: then the image is what masters run, and agents have the other, which
     * is how tasks see the GPUs of their host.
     */
    @OneOf(
            value = {"tarball", "packages", "image"},
            several = true,
            why = "Each says where Mesos comes from.")
    public record Install(
            @Key(
                    value = "An archive with bin, sbin, lib and libexec of Mesos: a file on this machine (a full path),"
                            + " or an http(s) address.",
                    example = "https://files.example.org/mesos-1.11.0.tar.gz",
                    pattern = SOURCE,
                    requires = @OtherKeys(value = "sha256", why = SUMMED, fix = ADD_SUM),
                    impact = ChangeImpact.RESTART)
            Optional<String> tarball,

            @Key(
                    value = "The archive's checksum, 64 hexadecimal digits (sha256sum).",
                    example = SUM,
                    pattern = SHA256,
                    requires = @OtherKeys(value = "tarball", code = Code.NO_EFFECT),
                    impact = ChangeImpact.RESTART)
            Optional<String> sha256,

            @Key(
                    value = "Packages of Mesos from an apt repository, instead of an archive.",
                    excludes = @OtherKeys(value = "tarball", why = "Mesos comes from one place."),
                    impact = ChangeImpact.RESTART)
            Optional<Packages> packages,

            @Key(
                    value =
                            "A container image with mesos-master and mesos-agent in its PATH, by digest. Masters run from"
                                    + " it; agents, too, where there is neither an archive nor a package.",
                    example = "registry.example.org/mesos@sha256:" + SUM,
                    pattern = IMAGE,
                    impact = ChangeImpact.RESTART)
            Optional<String> image) {
        /** The programs are installed on the hosts themselves. */
        public boolean onHosts() {
            return tarball.isPresent() || packages.isPresent();
        }
    }

    /** An apt repository, and the version that is taken from it. */
    public record Packages(
            @Key(
                    value = "Address of the apt repository: the folder above dists/.",
                    example = "https://packages.example.org/mesos",
                    pattern = "(https?://|file:///)\\S+",
                    impact = ChangeImpact.FILE)
            String repository,

            @Key(
                    value = "The suite, as the folder below dists/ is called.",
                    example = "bookworm",
                    pattern = WORD,
                    impact = ChangeImpact.FILE)
            String suite,

            @Key(value = "The component.", defaultValue = "main", pattern = WORD, impact = ChangeImpact.FILE)
            String component,

            @Key(
                    value = "The key that signs the repository, ASCII armoured: a file on this machine, a full path.",
                    example = "/srv/keys/mesos.asc",
                    pattern = "/.+",
                    impact = ChangeImpact.FILE)
            String key,

            @Key(
                    value = "The version of the package mesos, as apt shows it; it is pinned and held.",
                    example = "1.11.0-2.0.1",
                    pattern = VERSION,
                    impact = ChangeImpact.RESTART)
            String version) {}

    /** From one of the three: an archive, the cluster's packages, an image. */
    @OneOf(
            value = {"tarball", "version", "image"},
            why = "Each says where Marathon comes from.")
    public record Marathon(
            @Key(
                    value = "An archive with bin/marathon and lib: a file on this machine (a full path), or an http(s)"
                            + " address.",
                    example = "https://files.example.org/marathon-1.11.24.tgz",
                    pattern = SOURCE,
                    requires = @OtherKeys(value = "sha256", why = SUMMED, fix = ADD_SUM),
                    impact = ChangeImpact.RESTART)
            Optional<String> tarball,

            @Key(
                    value = "The archive's checksum, 64 hexadecimal digits (sha256sum).",
                    example = SUM,
                    pattern = SHA256,
                    requires = @OtherKeys(value = "tarball", code = Code.NO_EFFECT),
                    impact = ChangeImpact.RESTART)
            Optional<String> sha256,

            @Key(
                    value =
                            "The version of the package marathon in the repository of install.packages; it is pinned and"
                                    + " held.",
                    example = "1.11.24-1.0.1",
                    pattern = VERSION,
                    impact = ChangeImpact.RESTART)
            Optional<String> version,

            @Key(
                    value = "A container image that runs Marathon, by digest; it reads the variables MARATHON_….",
                    example = "registry.example.org/marathon@sha256:" + SUM,
                    pattern = IMAGE,
                    impact = ChangeImpact.RESTART)
            Optional<String> image,

            @Key(
                    value = "The first port that services get on the load balancers.",
                    defaultValue = "10000",
                    impact = ChangeImpact.RESTART,
                    min = 1024,
                    max = 65_535)
            int firstPort,

            @Key(
                    value = "The last one.",
                    defaultValue = "10100",
                    impact = ChangeImpact.RESTART,
                    min = 1024,
                    max = 65_535)
            int lastPort) {}

    /** From one of the two: a jar, an image. */
    @OneOf(
            value = {"jar", "image"},
            why = "Each says where Chronos comes from.")
    public record Chronos(
            @Key(
                    value =
                            "The program as one jar, with the change that lets jobs ask for GPUs: a file on this machine"
                                    + " (a full path), or an http(s) address.",
                    example = "https://files.example.org/chronos-3.0.2-1.jar",
                    pattern = SOURCE,
                    requires = @OtherKeys(value = "sha256", why = SUMMED, fix = ADD_SUM),
                    impact = ChangeImpact.RESTART)
            Optional<String> jar,

            @Key(
                    value = "The jar's checksum, 64 hexadecimal digits (sha256sum).",
                    example = SUM,
                    pattern = SHA256,
                    requires = @OtherKeys(value = "jar", code = Code.NO_EFFECT),
                    impact = ChangeImpact.RESTART)
            Optional<String> sha256,

            @Key(
                    value = "A container image that runs Chronos with that change, by digest; it makes options of the"
                            + " variables CHRONOS_….",
                    example = "registry.example.org/chronos@sha256:" + SUM,
                    pattern = IMAGE,
                    impact = ChangeImpact.RESTART)
            Optional<String> image) {}

    public record Gpu(
            @Key(value = "Groups that offer fewer cards than their machines have.", impact = ChangeImpact.RESTART)
            List<Offer> offer) {
        public Gpu {
            offer = List.copyOf(offer);
        }
    }

    public record Offer(
            @Key(value = "A group of agents with GPUs.", example = "gpu", impact = ChangeImpact.RESTART)
            Name group,

            @Key(
                    value = "How many of the cards of each machine are offered, the first ones.",
                    example = "1",
                    impact = ChangeImpact.RESTART,
                    min = 1,
                    max = 64)
            int count) {}

    static final String SUMMED = "What the machines run is known by its checksum only.";
    static final String ADD_SUM = "Add sha256: with what sha256sum prints for the file.";
    static final String SOURCE = "(/|https?://)[^\\s\"']+";
    static final String SHA256 = "[0-9a-f]{64}";
    static final String IMAGE = "[a-z0-9][A-Za-z0-9./:_-]*@sha256:[0-9a-f]{64}";
    static final String VERSION = "[0-9][A-Za-z0-9.+~:-]*";
    static final String WORD = "[A-Za-z0-9][A-Za-z0-9./-]*";
    static final String SUM = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
}
