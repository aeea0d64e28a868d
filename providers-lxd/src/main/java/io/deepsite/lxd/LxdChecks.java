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

/** Checks {@code provider.lxd} against the rest of the site. Only LXD itself can say whether it has what is named. */
final class LxdChecks {
    private final Site site;
    private final DaemonSettings lxd;
    private final Places places;
    private final Findings findings;
    private final String root;
    /** Cards that are named, by address, and slices of them. */
    private final Map<String, String> given = new HashMap<>();

    LxdChecks(CheckContext context, DaemonSettings lxd) {
        this.site = context.site();
        this.lxd = lxd;
        this.places = context.places();
        this.findings = context.findings();
        this.root = "provider." + lxd.provider();
    }

    void run() {
        certificates();
        site.machines()
                .forEach((_, machine) -> machine.gpus().stream()
                        .flatMap(request -> request.pci().stream())
                        .forEach(pci -> given.put(pci.value(), "gpus")));
        lxd.groups().forEach(this::group);
    }

    private void certificates() {
        boolean https = !lxd.address().isSocket();
        boolean incomplete = lxd.certificate().isEmpty()
                || lxd.key().isEmpty()
                || lxd.serverCertificate().isEmpty();
        if (https && incomplete && sound("endpoint", "certificate", "key", "serverCertificate")) {
            findings.fault(
                    Code.CERTIFICATE_NEEDED,
                    places.of(root + ".endpoint"),
                    lxd.daemon() + " knows its users over https by their client certificates, and signs its own.",
                    "Add certificate:, key: and serverCertificate: with the files to use. Where they are not there yet, a"
                            + " token of " + lxd.daemon().host() + " ("
                            + lxd.daemon().client("config trust add") + ") makes them:",
                    "deepsite enroll --token-file " + lxd.daemon().tokenFile());
        }
        if (!https && sound("endpoint")) {
            for (String key : List.of("certificate", "key", "serverCertificate")) {
                noEffect(key, "A unix socket asks for no certificate.");
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
                        places.ofKey(root + "." + path),
                        Wording.quoted(name.value()) + " is not under machines: " + Wording.allOf(names) + ".",
                        Wording.didYouMean(name.value(), names, ""));
            }
            return;
        }
        int count = site.machineNames(name).size();
        slices(machines, path, count);
        machines.infiniband().ifPresent(infiniband -> infiniband(infiniband, path + ".infiniband", count));
        new HostPathChecks(places, findings).check(machines, root + "." + path);
    }

    private void slices(LxdMachines machines, String path, int count) {
        var slices = machines.mig();
        if (slices.isEmpty() || !sound(path + ".mig")) {
            return;
        }
        if (slices.size() < count) {
            findings.fault(
                    Code.WRONG_ORDER,
                    places.ofKey(root + "." + path + ".mig"),
                    "The group has " + count + " machines, and the list " + slices.size() + ".",
                    "Name a slice for each machine.");
        }
        for (int i = 0; i < slices.size(); i++) {
            slice(slices.get(i), path + ".mig[" + i + "]");
        }
    }

    private void slice(LxdMachines.MigSlice slice, String path) {
        String own = slice.pci() + " " + slice.uuid().map(LxdChecks::plain).orElse(slice.gi() + " " + slice.ci());
        var whole = Optional.ofNullable(given.get(slice.pci().value()));
        var other = whole.or(() -> Optional.ofNullable(given.putIfAbsent(own, path)));
        other.ifPresent(place -> findings.fault(
                Code.CARD_TWICE,
                places.of(root + "." + path),
                place.equals("gpus")
                        ? "The whole card " + slice.pci() + " is given to a machine under gpus already."
                        : "This slice is given at " + root + "." + place + " already.",
                "Each belongs to one machine; remove one of the two."));
    }

    private static String plain(String uuid) {
        return uuid.replaceFirst("^MIG-", "").toLowerCase(Locale.ROOT);
    }

    private void infiniband(LxdMachines.Infiniband infiniband, String path, int count) {
        int named = infiniband.parents().size();
        boolean whole = infiniband.type().equals("physical");
        if (sound(path) && named > 0 && (whole ? named < count : named > 1)) {
            findings.fault(
                    Code.WRONG_ORDER,
                    places.ofKey(root + "." + path + ".parents"),
                    whole
                            ? "The group has " + count + " machines, and each takes a whole interface; " + named
                                    + (named == 1 ? " is" : " are") + " named."
                            : "Virtual functions come from one interface; " + named + " are named.",
                    whole ? "Name one for each machine, or use type sriov." : "Keep one of them.");
        }
    }

    private void noEffect(String key, String why) {
        findings.noEffect(places, root + "." + key, why);
    }

    private boolean sound(String... keys) {
        for (String key : keys) {
            if (findings.isUnsound(root + "." + key)) {
                return false;
            }
        }
        return true;
    }
}
