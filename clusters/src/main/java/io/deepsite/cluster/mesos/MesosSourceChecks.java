package io.deepsite.cluster.mesos;

import io.deepsite.diag.Code;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.Places;
import io.deepsite.site.load.Wording;
import java.util.List;
import java.util.stream.Stream;

/** Where the programs of a Mesos cluster come from: one place for each, and Mesos' library for those that need it. */
final class MesosSourceChecks {
    private static final String SUM = ".sha256";
    private static final List<String> ON_HOSTS = List.of("tarball", "packages");

    private final Site site;
    private final Places places;
    private final Findings findings;
    private final Mesos mesos;
    private final String path;

    MesosSourceChecks(Site site, Places places, Findings findings, Mesos mesos, String path) {
        this.site = site;
        this.places = places;
        this.findings = findings;
        this.mesos = mesos;
        this.path = path;
    }

    void run() {
        String place = path + ".install";
        from(place, "Mesos", ON_HOSTS, List.of("image"));
        sum(place, "tarball");
        if (isInContainersOnly()) {
            agentsInContainers(place);
        }
        mesos.marathon().ifPresent(_ -> {
            String at = path + ".marathon";
            from(at, "Marathon", List.of("tarball", "version", "image"), List.of());
            sum(at, "tarball");
            if (places.has(at + ".version") && !places.has(place + ".packages")) {
                findings.faultOnce(
                        Code.MISSING_KEY,
                        places.of(at + ".version"),
                        "The version is one of a package, and no repository of packages is named.",
                        "Add packages: to install, or name a tarball or an image of Marathon.");
            } else if (!places.has(at + ".image")) {
                library(at, "Marathon");
            }
        });
        mesos.chronos().ifPresent(_ -> {
            String at = path + ".chronos";
            from(at, "Chronos", List.of("jar", "image"), List.of());
            sum(at, "jar");
            if (!places.has(at + ".image")) {
                library(at, "Chronos");
            }
        });
    }

    /** The isolation of GPUs is the host's: its driver's libraries, its devices, its mounts. */
    private void agentsInContainers(String place) {
        for (Name agent : mesos.agents()) {
            var group = site.machines().get(agent);
            if (group != null && !group.gpus().isEmpty()) {
                findings.faultOnce(
                        Code.NOT_TOGETHER,
                        places.of(place + ".image"),
                        "The machines of " + agent + " have GPUs, and an agent in a container offers none: the driver's"
                                + " libraries are the host's.",
                        "Add a tarball or packages: agents then run from these, and masters from the image.");
                return;
            }
        }
    }

    private void library(String place, String program) {
        if (isInContainersOnly()) {
            findings.faultOnce(
                    Code.MISSING_KEY,
                    places.of(place),
                    program + " needs Mesos' library, libmesos.so, and the masters have it in a container only.",
                    "Name an image of " + program + ", or add a tarball or packages to install.");
        }
    }

    private void sum(String place, String file) {
        boolean named = places.has(place + "." + file);
        if (named && !places.has(place + SUM)) {
            findings.faultOnce(
                    Code.MISSING_KEY,
                    places.of(place + "." + file),
                    "What the machines run is taken by its checksum, and by nothing else.",
                    "Add sha256: with what sha256sum prints for the file.");
        } else if (!named && places.has(place + SUM)) {
            findings.fault(
                    Code.NO_EFFECT,
                    places.ofKey(place + SUM),
                    "It is the checksum of a file, and no " + file + " is named.",
                    "Remove it, or name the " + file + ".");
        }
    }

    /** @param beside keys that may stand beside one of the others */
    private void from(String place, String program, List<String> one, List<String> beside) {
        var named = named(place, one);
        if (named.size() > 1) {
            findings.fault(
                    Code.NOT_TOGETHER,
                    places.ofKey(place + "." + named.get(1)),
                    program + " comes from one place.",
                    "Keep one of " + Wording.allOf(named) + ".");
        } else if (named.isEmpty() && named(place, beside).isEmpty()) {
            findings.faultOnce(
                    Code.MISSING_KEY,
                    places.of(place),
                    "Nothing says where " + program + " comes from.",
                    "Name one of "
                            + Wording.allOf(
                                    Stream.concat(one.stream(), beside.stream()).toList())
                            + ".");
        }
    }

    private boolean isInContainersOnly() {
        String place = path + ".install";
        return places.has(place + ".image") && named(place, ON_HOSTS).isEmpty();
    }

    private List<String> named(String place, List<String> keys) {
        return keys.stream().filter(key -> places.has(place + "." + key)).toList();
    }
}
