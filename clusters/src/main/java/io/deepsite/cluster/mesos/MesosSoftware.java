package io.deepsite.cluster.mesos;

import io.deepsite.cluster.LocalFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The source of one Mesos cluster's programs, and their location on a machine. */
record MesosSoftware(Mesos mesos) {
    Map<String, Object> variables(boolean master) {
        return Map.of(
                "mesos_software_downloads", downloads(master),
                "mesos_software_repository", repository(),
                "mesos_software_packages", packages(master),
                "mesos_software_off", off(master),
                "mesos_software_images", images(master));
    }

    private List<Map<String, Object>> downloads(boolean master) {
        var wanted = new ArrayList<Map<String, Object>>();
        var install = mesos.install();
        download(
                        "mesos",
                        install.tarball(),
                        install.sha256(),
                        List.of("sbin/mesos-master", "sbin/mesos-agent", "lib", "libexec/mesos", "bin"),
                        List.of("mesos-master.service", "mesos-agent.service"))
                .ifPresent(wanted::add);
        if (master) {
            mesos.marathon()
                    .flatMap(marathon -> download(
                            "marathon",
                            marathon.tarball(),
                            marathon.sha256(),
                            List.of("bin/marathon", "lib"),
                            List.of("marathon.service")))
                    .ifPresent(wanted::add);
            mesos.chronos()
                    .flatMap(chronos ->
                            download("chronos", chronos.jar(), chronos.sha256(), List.of(), List.of("chronos.service")))
                    .ifPresent(wanted::add);
        }
        return wanted;
    }

    /** @param holds files that an archive must contain, the first one identifies its folder; none for a plain file */
    private static Optional<Map<String, Object>> download(
            String name, Optional<String> source, Optional<String> sum, List<String> holds, List<String> units) {
        return source.map(from ->
                Map.of("name", name, "source", from, "sha256", sum.orElseThrow(), "holds", holds, "units", units));
    }

    private Map<String, Object> repository() {
        return mesos.install()
                .packages()
                .<Map<String, Object>>map(packages -> Map.of(
                        "uri", packages.repository(),
                        "suite", packages.suite(),
                        "component", packages.component(),
                        "key", LocalFile.read(packages.key())))
                .orElseGet(Map::of);
    }

    private List<Map<String, Object>> packages(boolean master) {
        var wanted = new ArrayList<Map<String, Object>>();
        mesos.install()
                .packages()
                .ifPresent(packages -> wanted.add(Map.of("name", "mesos", "version", packages.version())));
        if (master) {
            mesos.marathon()
                    .flatMap(Mesos.Marathon::version)
                    .ifPresent(version -> wanted.add(Map.of("name", "marathon", "version", version)));
        }
        return wanted;
    }

    /** Units of the package mesos for daemons that this machine does not run. */
    private List<String> off(boolean master) {
        if (mesos.install().packages().isEmpty()) {
            return List.of();
        }
        return master ? List.of("mesos-slave.service") : List.of("mesos-slave.service", "mesos-master.service");
    }

    private List<String> images(boolean master) {
        if (!master) {
            return agentImage().isEmpty() ? List.of() : List.of(agentImage());
        }
        return Stream.of(
                        mesos.install().image(),
                        mesos.marathon().flatMap(Mesos.Marathon::image),
                        mesos.chronos().flatMap(Mesos.Chronos::image))
                .flatMap(Optional::stream)
                .distinct()
                .toList();
    }

    /** Whether masters run Docker containers. */
    boolean hasImagesOnMasters() {
        return !images(true).isEmpty();
    }

    /** Empty if masters run on the host itself. */
    String masterImage() {
        return mesos.install().image().orElse("");
    }

    /** Agents run in a container only by default: their tasks are then inside it, without GPUs. */
    String agentImage() {
        return mesos.install().onHosts() ? "" : masterImage();
    }

    /** The folder above sbin and lib; the system's for a package. */
    String folder() {
        return mesos.install().packages().isPresent() ? "/usr" : "/opt/mesos";
    }

    /** The folder of libmesos.so. */
    String library() {
        return folder() + "/lib";
    }

    String marathon() {
        return mesos.marathon().flatMap(Mesos.Marathon::version).isPresent()
                ? "/usr/share/marathon/bin/marathon"
                : "/opt/marathon/bin/marathon";
    }
}
