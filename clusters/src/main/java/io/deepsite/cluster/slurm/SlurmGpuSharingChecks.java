package io.deepsite.cluster.slurm;

import io.deepsite.diag.Code;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.DriverChecks;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.MpsChecks;
import io.deepsite.site.load.NamedGroup;
import io.deepsite.site.load.Places;
import io.deepsite.site.load.Wording;
import java.util.Objects;
import java.util.Optional;

/** Whether cards can be shared as a cluster asks, and whether what limits shares has some to limit. */
final class SlurmGpuSharingChecks {
    private final CheckContext context;
    private final Site site;
    private final Places places;
    private final Findings findings;
    private final Slurm slurm;
    private final String path;

    /** @param path of the cluster */
    SlurmGpuSharingChecks(CheckContext context, Slurm slurm, String path) {
        this.context = context;
        this.site = context.site();
        this.places = context.places();
        this.findings = context.findings();
        this.slurm = slurm;
        this.path = path;
    }

    void run() {
        slurm.gpuSharing().forEach((name, sharing) -> {
            var place = path + ".gpuSharing." + name;
            if (!findings.isUnsound(place) && context.groupExists(new NamedGroup(name, place))) {
                group(name, Objects.requireNonNull(site.machines().get(name)), sharing, place);
            }
        });
        slurm.accounts().forEach((name, account) -> {
            var place = path + ".accounts." + name;
            limits(account.total(), place + ".total");
            limits(account.perUser(), place + ".perUser");
            limits(account.perJob().resources(), place + ".perJob");
        });
        slurm.qos().forEach((name, qos) -> {
            var place = path + ".qos." + name;
            limits(qos.total(), place + ".total");
            limits(qos.perUser(), place + ".perUser");
            limits(qos.perAccount(), place + ".perAccount");
            limits(qos.perJob().resources(), place + ".perJob");
        });
    }

    private void group(Name name, MachineGroup group, GpuSharing sharing, String place) {
        if (!slurm.compute().contains(name)) {
            findings.fault(
                    Code.NOT_IN_CLUSTER,
                    places.ofKey(place),
                    name + " is not among the cluster's compute groups: " + Wording.allOf(slurm.compute()) + ".",
                    "Add it to compute, or remove it here.");
        } else if (group.gpus().isEmpty()) {
            findings.fault(
                    Code.NO_GPU,
                    places.ofKey(place),
                    "The group asks for no GPU, so there is nothing to share.",
                    "Add gpus: to the group, or remove the key.");
        } else {
            release(place);
            processors(name, group, place);
            if (sharing.mps().isPresent()) {
                mps(name, group, place + ".mps");
            }
        }
    }

    private void release(String place) {
        SlurmConfiguration.imageBefore2205(site, slurm)
                .ifPresent(image -> findings.faultOnce(
                        Code.NOT_WITH_RELEASE,
                        places.ofKey(place),
                        "Slurm of " + image + " is older than 22.05, which brought shards, and MPS on several cards.",
                        "Take debian/12 or newer for the machines of the cluster, or remove the key."));
    }

    private void processors(Name name, MachineGroup group, String place) {
        if (group.cpus() < 2 && !site.provider().machinesExist() && !findings.isUnsound("machines." + name + ".cpus")) {
            findings.fault(
                    Code.SHARES_UNUSED,
                    places.ofKey(place),
                    "Its machines have one processor, and a job has at least one for itself: no two jobs would share a"
                            + " card.",
                    "Write machines." + name + ".cpus: 2 or more, or remove the key.");
        }
    }

    private void mps(Name name, MachineGroup group, String place) {
        var other = group.gpus().stream()
                .flatMap(request -> request.vendor().stream())
                .filter(vendor -> !vendor.value().equals("nvidia"))
                .findFirst();
        if (other.isPresent()) {
            findings.fault(
                    Code.MPS_OF_NVIDIA,
                    places.ofKey(place),
                    "The group asks for cards of " + other.get() + "; MPS is a service of NVIDIA's driver.",
                    "Write shard, which any card can be shared by.");
        } else {
            MpsChecks.run(
                    DriverChecks.cards(site, name),
                    places.ofKey(place),
                    findings,
                    "Write shard, which any card can be shared by.");
        }
    }

    private void limits(Limits limits, String place) {
        limit(limits.shards(), "shard", place + ".shards");
        limit(limits.mps(), "mps", place + ".mps");
    }

    private void limit(Optional<Integer> limit, String kind, String place) {
        if (limit.isPresent()
                && !findings.isUnsound(path + ".gpuSharing")
                && !new SlurmGpuSharing(slurm).kinds().contains(kind)) {
            findings.faultOnce(
                    Code.NO_GPU,
                    places.of(place),
                    "No card of the cluster is shared by " + kind + ", so it would limit nothing.",
                    "Remove the key, or write " + kind + " for a group in gpuSharing.");
        }
    }
}
