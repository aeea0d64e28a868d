package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.Places;
import io.deepsite.site.load.Wording;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** What must hold between {@code provider.lxd} and the rest of the site. Whether LXD has it only LXD tells. */
final class LxdChecks {
    private static final String PATH = "provider.lxd";

    private final Site site;
    private final LxdSettings lxd;
    private final Places places;
    private final Findings findings;
    /** Cards that are named, by address, and slices of them. */
    private final Map<String, String> given = new HashMap<>();

    LxdChecks(CheckContext context, LxdSettings lxd) {
        this.site = context.site();
        this.lxd = lxd;
        this.places = context.places();
        this.findings = context.findings();
    }

    void run() {
        certificates();
        pool();
        site.machines()
                .forEach((_, machine) -> machine.gpus().stream()
                        .flatMap(request -> request.pci().stream())
                        .forEach(pci -> given.put(pci.value(), "gpus")));
        lxd.groups().forEach(this::group);
    }

    private void certificates() {
        boolean https = lxd.endpoint().startsWith("https:");
        boolean incomplete = lxd.certificate().isEmpty()
                || lxd.key().isEmpty()
                || lxd.serverCertificate().isEmpty();
        if (https && incomplete && sound("endpoint", "certificate", "key", "serverCertificate")) {
            findings.fault(
                    Code.CERTIFICATE_NEEDED,
                    places.of(PATH + ".endpoint"),
                    "LXD knows its users over https by their client certificates, and signs its own.",
                    "Add certificate:, key: and serverCertificate: with the files to use. Where they are not there yet, a"
                            + " token of the LXD host (lxc config trust add) makes them:",
                    "deepsite enroll --token-file lxd.token");
        }
        if (!https && sound("endpoint")) {
            for (String key : List.of("certificate", "key", "serverCertificate")) {
                noEffect(key, "A unix socket asks for no certificate.");
            }
        }
    }

    private void pool() {
        var pool = lxd.pool();
        if (pool.device().isPresent()) {
            noEffect("pool.size", "The pool takes the whole of its device.");
        }
        if (pool.source().isPresent() && pool.device().isPresent()) {
            exclude(
                    "pool.source",
                    "The pool is made on a device, or in something that exists.",
                    "Keep one of the two.");
        } else if (pool.source().isPresent()) {
            noEffect("pool.size", "The pool is made in something that exists, and has its room.");
        }
        if (pool.source().isPresent() && pool.driver().equals("btrfs")) {
            exclude(
                    "pool.source",
                    "A pool of driver btrfs is a loop file or a device of its own.",
                    "Name the device, or choose driver zfs, lvm or ceph.");
        }
        if (pool.driver().equals("ceph")) {
            noEffect("pool.size", "A pool of Ceph grows with the cluster.");
            if (pool.device().isPresent()) {
                exclude(
                        "pool.device",
                        "Ceph itself keeps the devices; LXD gets a pool of it.",
                        "Name the pool of Ceph as source, or leave both out: LXD makes one.");
            }
        }
    }

    private void group(Name name, LxdMachines machines) {
        String path = "groups." + name;
        if (!site.machines().containsKey(name)) {
            if (sound(path) && !findings.isUnsound("machines")) {
                var names = site.machines().keySet().stream().map(Name::value).toList();
                findings.fault(
                        Code.NO_SUCH_GROUP,
                        places.ofKey(PATH + "." + path),
                        Wording.quoted(name.value()) + " is not under machines: " + Wording.allOf(names) + ".",
                        Wording.didYouMean(name.value(), names, ""));
            }
            return;
        }
        int count = site.machineNames(name).size();
        nvidia(machines, path);
        slices(machines, path, count);
        virtual(machines, path);
        machines.infiniband().ifPresent(infiniband -> infiniband(infiniband, path + ".infiniband", count));
        new HostPathChecks(places, findings).check(machines, PATH + "." + path);
    }

    private void nvidia(LxdMachines machines, String path) {
        if (!machines.nvidiaRuntime()) {
            noEffect(
                    path + ".nvidiaCapabilities", "They are asked of NVIDIA's runtime, which the group does not have.");
        }
        if (machines.nvidiaRuntime() && machines.virtualMachines()) {
            exclude(
                    path + ".nvidiaRuntime",
                    "NVIDIA's runtime is for containers; a virtual machine has a driver of its own.",
                    "Remove it, or virtualMachines.");
        }
    }

    private void slices(LxdMachines machines, String path, int count) {
        var slices = machines.mig();
        if (slices.isEmpty() || !sound(path + ".mig")) {
            return;
        }
        if (machines.virtualMachines()) {
            exclude(
                    path + ".mig",
                    "LXD gives slices of a card to containers only.",
                    "Remove virtualMachines, or ask for a virtualGpu.");
        } else if (!machines.nvidiaRuntime() && sound(path + ".nvidiaRuntime")) {
            findings.fault(
                    Code.MISSING_KEY,
                    places.ofKey(PATH + "." + path + ".mig"),
                    "LXD brings a slice of a card into a container by NVIDIA's runtime only.",
                    "Add \"nvidiaRuntime: true\".");
        }
        if (slices.size() < count) {
            findings.fault(
                    Code.WRONG_ORDER,
                    places.ofKey(PATH + "." + path + ".mig"),
                    "The group has " + count + " machines, and the list " + slices.size() + ".",
                    "Name a slice for each machine.");
        }
        for (int i = 0; i < slices.size(); i++) {
            slice(slices.get(i), path + ".mig[" + i + "]");
        }
    }

    private void slice(LxdMachines.MigSlice slice, String path) {
        boolean numbered = slice.gi().isPresent() || slice.ci().isPresent();
        if (slice.uuid().isPresent() && numbered) {
            exclude(path, "A slice is named by its UUID, or by gi and ci.", "Keep one of the two.");
        } else if (slice.uuid().isEmpty() && (slice.gi().isEmpty() || slice.ci().isEmpty())) {
            findings.fault(
                    Code.MISSING_KEY,
                    places.of(PATH + "." + path),
                    "Which slice of the card " + slice.pci() + " it is, is not clear.",
                    "Add its uuid, or both gi and ci. On the LXD host this lists them:",
                    "nvidia-smi -L");
        }
        String own = slice.pci() + " " + slice.uuid().map(LxdChecks::plain).orElse(slice.gi() + " " + slice.ci());
        var whole = Optional.ofNullable(given.get(slice.pci().value()));
        var other = whole.or(() -> Optional.ofNullable(given.putIfAbsent(own, path)));
        other.ifPresent(place -> findings.fault(
                Code.CARD_TWICE,
                places.of(PATH + "." + path),
                place.equals("gpus")
                        ? "The whole card " + slice.pci() + " is given to a machine under gpus already."
                        : "This slice is given at " + PATH + "." + place + " already.",
                "Each belongs to one machine; remove one of the two."));
    }

    private static String plain(String uuid) {
        return uuid.replaceFirst("^MIG-", "").toLowerCase(Locale.ROOT);
    }

    private void virtual(LxdMachines machines, String path) {
        machines.virtualGpu().ifPresent(part -> {
            if (!machines.virtualMachines()) {
                exclude(
                        path + ".virtualGpu",
                        "LXD gives parts of a card by " + part.type() + " to virtual machines only.",
                        "Add \"virtualMachines: true\", ask for whole cards (gpus), or for slices (mig).");
            }
            if (part.type().equals("mdev") && part.profile().isEmpty()) {
                findings.fault(
                        Code.MISSING_KEY,
                        places.ofKey(PATH + "." + path + ".virtualGpu"),
                        "Which type of mdev is to be made, is not said.",
                        "Add \"profile:\" with one that LXD lists for the card:",
                        "lxc query /1.0/resources");
            } else if (part.type().equals("sriov")) {
                noEffect(path + ".virtualGpu.profile", "A virtual function has no type of mdev.");
            }
        });
    }

    private void infiniband(LxdMachines.Infiniband infiniband, String path, int count) {
        int named = infiniband.parents().size();
        boolean whole = infiniband.type().equals("physical");
        if (sound(path) && named > 0 && (whole ? named < count : named > 1)) {
            findings.fault(
                    Code.WRONG_ORDER,
                    places.ofKey(PATH + "." + path + ".parents"),
                    whole
                            ? "The group has " + count + " machines, and each takes a whole interface; " + named
                                    + (named == 1 ? " is" : " are") + " named."
                            : "Virtual functions come from one interface; " + named + " are named.",
                    whole ? "Name one for each machine, or use type sriov." : "Keep one of them.");
        }
    }

    /** Two keys that exclude each other. */
    private void exclude(String key, String why, String fix) {
        if (sound(key)) {
            findings.fault(Code.NOT_TOGETHER, places.of(PATH + "." + key), why, fix);
        }
    }

    private void noEffect(String key, String why) {
        findings.noEffect(places, PATH + "." + key, why);
    }

    private boolean sound(String... keys) {
        for (String key : keys) {
            if (findings.isUnsound(PATH + "." + key)) {
                return false;
            }
        }
        return true;
    }
}
