package io.deepsite.cluster.slurm;

import io.deepsite.diag.Code;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.Places;
import java.util.List;

/** What must hold between the keys of a cluster's software. */
final class SlurmSoftwareChecks {
    private final Places places;
    private final Findings findings;
    private final Software software;
    private final String path;

    /** @param path of the cluster in site.yaml */
    SlurmSoftwareChecks(CheckContext context, Slurm slurm, String path) {
        this.places = context.places();
        this.findings = context.findings();
        this.software = slurm.software();
        this.path = path + ".software";
    }

    void run() {
        if (findings.isUnsound(path + ".containers")) {
            return;
        }
        for (String tool : List.of("udocker", "apptainer")) {
            if (!software.has(tool)) {
                findings.noEffect(places, path + "." + tool, tool + " is not among containers.");
            }
        }
        if (software.has("udocker") && !places.has(path + ".udocker")) {
            findings.faultOnce(
                    Code.NO_SOURCE,
                    places.of(path + ".containers"),
                    "No distribution has udocker, and software.udocker does not say where it comes from.",
                    "Add udocker: {archive: …, sha256: …} to software.");
        }
        software.udocker()
                .filter(udocker -> udocker.engine().isEmpty() && !udocker.mode().startsWith("P"))
                .filter(_ -> !findings.isUnsound(path + ".udocker"))
                .ifPresent(udocker -> findings.faultOnce(
                        Code.NO_ENGINE,
                        places.of(path + ".udocker.mode"),
                        "Mode " + udocker.mode() + " runs by udocker's own engines; without them there is only proot of"
                                + " the distribution, for P1 and P2.",
                        "Add engine: {archive: …, sha256: …} (udocker-englib), or take P1 or P2."));
    }
}
