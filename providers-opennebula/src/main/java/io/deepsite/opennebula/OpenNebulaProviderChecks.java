package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.AddressChecks;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.Places;
import io.deepsite.site.load.Wording;
import java.math.BigInteger;
import java.util.Optional;

/** Checks {@code provider.opennebula} against the rest of the site. Only the front-end can say whether it has what is named. */
final class OpenNebulaProviderChecks {
    private static final String PATH = "provider.opennebula";
    private static final String CIDR = PATH + ".network.cidr";
    private static final BigInteger SMALLEST = BigInteger.valueOf(8);

    private final CheckContext context;
    private final Site site;
    private final OpenNebulaSettings one;
    private final Places places;
    private final Findings findings;

    OpenNebulaProviderChecks(CheckContext context, OpenNebulaSettings one) {
        this.context = context;
        this.site = context.site();
        this.one = one;
        this.places = context.places();
        this.findings = context.findings();
    }

    void run() {
        one.endpoint().filter(PlainHttp::travels).ifPresent(endpoint -> {
            if (sound(PATH + ".endpoint")) {
                findings.warning(
                        Code.OPENNEBULA_PLAIN_HTTP,
                        places.of(PATH + ".endpoint"),
                        PlainHttp.why(endpoint),
                        PlainHttp.FIX);
            }
        });
        network();
        var addresses = new AddressChecks(context, PATH);
        one.groups().forEach((name, machines) -> group(name, machines, addresses));
    }

    private void network() {
        var network = one.network();
        String path = PATH + ".network";
        for (int i = 0; i < network.sshFrom().size(); i++) {
            String place = path + ".sshFrom[" + i + "]";
            if (network.sshFrom().get(i).isIpv6() && sound(place)) {
                findings.fault(
                        Code.NOT_RANGE,
                        places.of(place),
                        "Machines have IPv4 addresses there, so nothing of "
                                + network.sshFrom().get(i) + " reaches them.",
                        "Give a range of IPv4.");
            }
        }
        if (network.existing().isPresent()) {
            return;
        }
        if (network.cidr().isIpv6() && sound(CIDR)) {
            findings.fault(
                    Code.NOT_RANGE,
                    places.of(CIDR),
                    "Machines have IPv4 addresses of this range; " + network.cidr() + " is of IPv6.",
                    "Give a range of IPv4.");
        } else if (network.cidr().size().compareTo(SMALLEST) < 0 && sound(CIDR)) {
            findings.fault(
                    Code.NOT_RANGE,
                    places.of(CIDR),
                    "Of the " + network.cidr().size() + " addresses of " + network.cidr()
                            + " the network itself, its router and the broadcast take three.",
                    "Take a range of /29 or larger.");
        }
        network.gateway().filter(gateway -> !network.cidr().contains(gateway)).ifPresent(gateway -> {
            if (sound(path + ".gateway") && sound(CIDR)) {
                unusable(
                        path + ".gateway",
                        gateway + " is outside the network " + network.cidr() + ".",
                        "Machines reach a router on their own network only: choose an address of it.");
            }
        });
    }

    private void group(Name name, OpenNebulaMachines machines, AddressChecks addresses) {
        String path = PATH + ".groups." + name;
        var group = site.machines().get(name);
        if (group == null) {
            unknown(name, path);
            return;
        }
        var network = one.network();
        addresses.check(
                name,
                machines.addresses(),
                network.existing().isEmpty(),
                network.cidr(),
                address -> network.gateway().equals(Optional.of(address)));
        if (group.gpus().isEmpty()) {
            findings.noEffect(places, path + ".pciDevice", "The group " + name + " has no gpus.");
        } else if (machines.pciDevice().isPresent()
                && group.gpus().stream().anyMatch(gpu -> !gpu.pci().isEmpty())
                && sound(path + ".pciDevice")) {
            findings.fault(
                    Code.NOT_TOGETHER,
                    places.ofKey(path + ".pciDevice"),
                    "machines." + name
                            + ".gpus names the cards by their addresses already, and OpenNebula refuses both.",
                    "Keep one of the two.");
        }
    }

    private void unknown(Name group, String path) {
        if (sound(path) && sound("machines")) {
            var names = site.machines().keySet().stream().map(Name::value).toList();
            findings.fault(
                    Code.NO_SUCH_GROUP,
                    places.ofKey(path),
                    Wording.quoted(group.value()) + " is not under machines: " + Wording.allOf(names) + ".",
                    Wording.didYouMean(group.value(), names, ""));
        }
    }

    private void unusable(String path, String why, String fix) {
        findings.fault(Code.ADDRESS_UNUSABLE, places.of(path), why, fix);
    }

    private boolean sound(String path) {
        return !findings.isUnsound(path);
    }
}
