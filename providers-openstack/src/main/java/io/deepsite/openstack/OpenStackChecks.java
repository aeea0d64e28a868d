package io.deepsite.openstack;

import io.deepsite.diag.Code;
import io.deepsite.site.IpAddress;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.AddressChecks;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.Places;
import io.deepsite.site.load.Wording;
import java.math.BigInteger;

/** Checks {@code provider.openstack} against the rest of the site. Only the cloud can say whether it has what is named. */
final class OpenStackChecks {
    private static final String PATH = "provider.openstack";
    private static final String CIDR = PATH + ".network.cidr";
    private static final BigInteger SMALLEST = BigInteger.valueOf(8);
    private static final int LONGEST_METADATA = 255;

    private final CheckContext context;
    private final Site site;
    private final OpenStackSettings cloud;
    private final Places places;
    private final Findings findings;

    OpenStackChecks(CheckContext context, OpenStackSettings cloud) {
        this.context = context;
        this.site = context.site();
        this.cloud = cloud;
        this.places = context.places();
        this.findings = context.findings();
    }

    void run() {
        network();
        cloud.bastion().ifPresent(name -> known(name, PATH + ".bastion"));
        var addresses = new AddressChecks(context, PATH);
        cloud.groups().forEach((name, machines) -> group(name, machines, addresses));
    }

    private void network() {
        var network = cloud.network();
        String path = PATH + ".network";
        if (network.existing().isPresent()) {
            return;
        }
        network.externalNetwork().ifPresent(external -> external(path + ".externalNetwork", external));
        if (network.cidr().isIpv6() && sound(CIDR)) {
            findings.fault(
                    Code.NOT_RANGE,
                    places.of(CIDR),
                    "Machines have IPv4 addresses of this range; " + network.cidr() + " is of IPv6.",
                    "Give a range of IPv4 here, and this one as ipv6.");
        } else if (network.cidr().size().compareTo(SMALLEST) < 0 && sound(CIDR)) {
            findings.fault(
                    Code.NOT_RANGE,
                    places.of(CIDR),
                    "Of the " + network.cidr().size() + " addresses of " + network.cidr()
                            + " the network itself, its router and the broadcast take three.",
                    "Take a range of /29 or larger.");
        }
        network.ipv6().filter(range -> !range.isIpv6()).ifPresent(range -> {
            if (sound(path + ".ipv6")) {
                findings.fault(
                        Code.NOT_RANGE,
                        places.of(path + ".ipv6"),
                        range + " is of IPv4.",
                        "Write a range such as fd00:64::/64, or give this one as cidr.");
            }
        });
    }

    private void external(String path, OpenStackExternal external) {
        if (!sound(path)) {
            return;
        }
        boolean gateway = isInside(path + ".gateway", external.gateway(), external);
        boolean first = isInside(path + ".first", external.first(), external);
        boolean last = isInside(path + ".last", external.last(), external);
        if (gateway && first && last) {
            order(path, external);
        }
    }

    private void order(String path, OpenStackExternal external) {
        var range = external.cidr();
        if (range.position(external.last()).compareTo(range.position(external.first())) < 0) {
            findings.fault(
                    Code.WRONG_ORDER,
                    places.of(path + ".last"),
                    external.last() + " comes before " + external.first() + ", the first.",
                    "Exchange the two.");
        } else if (range.position(external.gateway()).compareTo(range.position(external.first())) >= 0
                && range.position(external.gateway()).compareTo(range.position(external.last())) <= 0) {
            findings.fault(
                    Code.ADDRESS_UNUSABLE,
                    places.of(path + ".gateway"),
                    "The addresses from " + external.first() + " to " + external.last()
                            + " are given away, and the gateway's is one of them.",
                    "Let them begin behind it, or end before it.");
        }
    }

    private boolean isInside(String path, IpAddress address, OpenStackExternal external) {
        boolean inside = external.cidr().contains(address);
        if (!inside) {
            findings.fault(
                    Code.ADDRESS_UNUSABLE,
                    places.of(path),
                    address + " is outside the network " + external.cidr() + ".",
                    "Choose an address of it.");
        }
        return inside;
    }

    private void group(Name name, OpenStackMachines machines, AddressChecks addresses) {
        String path = PATH + ".groups." + name;
        if (!known(name, path)) {
            return;
        }
        if (machines.floatingIps() && sound(path + ".floatingIps")) {
            externalNeeded(path + ".floatingIps");
        }
        var network = cloud.network();
        addresses.check(
                name,
                machines.addresses(),
                network.existing().isEmpty(),
                network.cidr(),
                address -> network.cidr().position(address).equals(BigInteger.ONE));
        volumes(machines, path);
        metadata(machines, path + ".metadata");
    }

    private boolean known(Name group, String path) {
        if (site.machines().containsKey(group)) {
            return true;
        }
        if (sound(path) && sound("machines")) {
            var names = site.machines().keySet().stream().map(Name::value).toList();
            findings.fault(
                    Code.NO_SUCH_GROUP,
                    path.endsWith(".bastion") ? places.of(path) : places.ofKey(path),
                    Wording.quoted(group.value()) + " is not under machines: " + Wording.allOf(names) + ".",
                    Wording.didYouMean(group.value(), names, ""));
        }
        return false;
    }

    private void externalNeeded(String path) {
        if (!cloud.network().leadsOut()
                && sound(PATH + ".network.external")
                && sound(PATH + ".network.externalNetwork")) {
            findings.fault(
                    Code.EXTERNAL_NETWORK_NEEDED,
                    places.ofKey(path),
                    "Floating IPs come from an external network, and none is named.",
                    "Add \"external: NAME\" to provider.openstack.network. This lists them:",
                    "openstack network list --external");
        }
    }

    private void volumes(OpenStackMachines machines, String path) {
        machines.volumes().forEach((name, volume) -> {
            String size = path + ".volumes." + name + ".size";
            wholeGibibytes(volume.size().bytes(), size);
        });
        machines.bootVolume().ifPresent(_ -> {
            String group = path.substring(path.lastIndexOf('.') + 1);
            MachineGroup of = site.machines().get(new Name(group));
            String disk = "machines." + group + ".disk";
            if (of != null && of.disk().isPresent()) {
                wholeGibibytes(of.disk().get().bytes(), disk);
            } else if (of != null && sound(disk)) {
                findings.fault(
                        Code.VOLUME_SIZE,
                        places.ofKey(path + ".bootVolume"),
                        "The volume has the size of the group's disk, and the group " + group + " does not say one.",
                        "Add \"disk: 20GiB\" to machines." + group + ".");
            }
        });
    }

    private void wholeGibibytes(long bytes, String path) {
        if (bytes % (1L << 30) != 0 && sound(path)) {
            findings.fault(
                    Code.VOLUME_SIZE,
                    places.of(path),
                    "OpenStack makes volumes of whole GiB.",
                    "Write " + (bytes / (1L << 30) + 1) + "GiB.");
        }
    }

    private void metadata(OpenStackMachines machines, String path) {
        machines.metadata().forEach((key, value) -> {
            if (key.startsWith("deepsite") && sound(path)) {
                findings.fault(
                        Code.RESERVED_NAME,
                        places.ofKey(path + "." + key),
                        "deepsite marks its own machines with such keys.",
                        "Choose another.");
            } else if (Math.max(key.length(), value.length()) > LONGEST_METADATA && sound(path)) {
                findings.fault(
                        Code.NAME_TOO_LONG,
                        places.ofKey(path + "." + key),
                        "Nova takes keys and values of at most " + LONGEST_METADATA + " characters.",
                        "Shorten it.");
            }
        });
    }

    private boolean sound(String path) {
        return !findings.isUnsound(path);
    }
}
