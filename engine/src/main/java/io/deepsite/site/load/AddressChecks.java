package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The addresses that a provider's settings give to the machines of groups ({@code groups.<name>.addresses}), each against
 * the network and the others. */
public final class AddressChecks {
    private final Site site;
    private final Places places;
    private final Findings findings;
    private final String provider;
    private final Map<IpAddress, String> given = new HashMap<>();

    /** @param provider path of its settings */
    public AddressChecks(CheckContext context, String provider) {
        this.site = context.site();
        this.places = context.places();
        this.findings = context.findings();
        this.provider = provider;
    }

    /**
     * @param made whether the network is made, of the range that site.yaml says
     * @param router whether an address is the router's
     */
    public void check(Name group, List<IpAddress> addresses, boolean made, Cidr range, Predicate<IpAddress> router) {
        String path = provider + ".groups." + group + ".addresses";
        if (addresses.isEmpty() || findings.isUnsound(path)) {
            return;
        }
        int count = site.machineNames(group).size();
        if (addresses.size() != count && !findings.isUnsound("machines." + group + ".count")) {
            findings.fault(
                    Code.ADDRESS_UNUSABLE,
                    places.ofKey(path),
                    "The group " + group + " has " + count + " machines, and the list " + addresses.size() + ".",
                    "Give each machine its address, or none.");
            return;
        }
        for (int i = 0; i < addresses.size(); i++) {
            String place = path + "[" + i + "]";
            if (isNew(addresses.get(i), place) && made) {
                inside(addresses.get(i), place, range, router);
            }
        }
    }

    private boolean isNew(IpAddress address, String path) {
        var other = given.putIfAbsent(address, path);
        if (other != null) {
            unusable(path, address + " is given at " + other + " already.", "Each machine has an address of its own.");
        }
        return other == null;
    }

    private void inside(IpAddress address, String path, Cidr range, Predicate<IpAddress> router) {
        String cidr = provider + ".network.cidr";
        if (findings.isUnsound(cidr)) {
            return;
        }
        if (!range.contains(address)) {
            unusable(
                    path,
                    address + " is outside the network " + range + ".",
                    "Choose one inside it, or change " + cidr + ".");
            return;
        }
        var position = range.position(address);
        if (position.signum() == 0 || position.equals(range.size().subtract(BigInteger.ONE)) || router.test(address)) {
            unusable(
                    path,
                    address + " is the network's own, its router's or the broadcast address.",
                    "Choose another inside " + range + ".");
        }
    }

    private void unusable(String path, String why, String fix) {
        findings.fault(Code.ADDRESS_UNUSABLE, places.of(path), why, fix);
    }
}
