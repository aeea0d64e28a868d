package io.deepsite.cluster.mesos;

import io.deepsite.diag.Code;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.Places;

/** What programs on the hosts need of a Mesos that is in containers: GPUs, and Mesos' library. */
final class MesosSourceChecks {
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
        if (!places.has(path + ".install.image") || mesos.install().onHosts()) {
            return;
        }
        agentsInContainers(path + ".install");
        mesos.marathon().filter(marathon -> marathon.image().isEmpty()).ifPresent(_ -> library("marathon", "Marathon"));
        mesos.chronos().filter(chronos -> chronos.image().isEmpty()).ifPresent(_ -> library("chronos", "Chronos"));
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

    private void library(String key, String program) {
        String place = path + "." + key;
        if (!findings.isUnsound(place + ".version")) {
            findings.faultOnce(
                    Code.MISSING_KEY,
                    places.of(place),
                    program + " needs Mesos' library, libmesos.so, and the masters have it in a container only.",
                    "Name an image of " + program + ", or add a tarball or packages to install.");
        }
    }
}
