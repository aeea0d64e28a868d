package io.deepsite.cluster.openstack;

import io.deepsite.cluster.openstack.OpenStackNetworks.Segment;
import io.deepsite.diag.Code;
import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.Places;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an OpenStack cloud needs that deepsite installs. */
final class OpenStackInstallChecks {
    private static final Size MEMORY = Size.parse("16GiB");
    private static final Size DISK = Size.parse("80GiB");

    /** A container is named after its host, and openstack-ansible takes 52 letters: "_nova_api_os_compute_container" is the longest. */
    private static final int LONGEST_NAME = 22;

    private final Site site;
    private final Places places;
    private final Findings findings;
    private final OpenStackCloud cloud;
    private final String path;

    OpenStackInstallChecks(Site site, Places places, Findings findings, OpenStackCloud cloud, String path) {
        this.site = site;
        this.places = places;
        this.findings = findings;
        this.cloud = cloud;
        this.path = path;
    }

    void openStackAnsible() {
        experimental("openstack-ansible");
        queens("openstack-ansible of Queens installs on Ubuntu 16.04 only");
        controls();
        cloud.groups().forEach(this::names);
        sizes();
        cloud.networks().ifPresent(this::networks);
    }

    void devStack() {
        experimental("DevStack");
        queens("DevStack of Queens refuses Ubuntu 18.04 and runs on 16.04");
        if (machines(cloud.compute()) > 1) {
            findings.faultOnce(
                    Code.GROUP_TWICE,
                    places.of(path + ".compute"),
                    "DevStack here makes a cloud on one host, and these groups have " + machines(cloud.compute())
                            + " machines.",
                    "Name a group of one machine, or write method: openstack-ansible.");
        }
        sizes();
    }

    private void experimental(String installer) {
        findings.note(
                Code.EXPERIMENTAL,
                places.of(path + ".method"),
                "No test of deepsite has ever run a whole installation by " + installer + ", only parts of it.",
                "Try it on hosts that you can lose. docs/status.md says which parts ran.");
    }

    /**
     * By openstack-ansible 17.1.4, playbooks/openstack-hosts-setup.yml, and DevStack queens-eol, stack.sh. An existing Queens
     * from packages is another matter: Ubuntu 18.04 has one, with LXD 3.0.
     */
    private void queens(String why) {
        if (cloud.release().equals(OpenStackRelease.QUEENS.word())) {
            findings.faultOnce(
                    Code.NOT_WITH_RELEASE,
                    places.of(path + ".release"),
                    why + ", whose LXD 2.0 has no storage pools.",
                    "Write release: rocky or stein. For compute hosts of an existing Queens write method: packages and given:"
                            + " true.");
        }
    }

    private void controls() {
        long count = machines(cloud.control());
        if (count != 0 && count != 1 && count != 3 && !site.provider().machinesExist()) {
            findings.faultOnce(
                    Code.CONTROL_PLANE_COUNT,
                    places.of(path + ".control"),
                    "The groups have " + count + " machines; the database and the queue of a cloud decide by majority.",
                    "Give them one or three.");
        }
    }

    private long machines(List<Name> groups) {
        return groups.stream()
                .distinct()
                .filter(site.machines()::containsKey)
                .mapToLong(group -> site.machineNames(group).size())
                .sum();
    }

    private void names(Name group) {
        if (site.machines().containsKey(group)) {
            site.machineNames(group).stream()
                    .filter(name -> name.length() > LONGEST_NAME)
                    .findFirst()
                    .ifPresent(name -> findings.fault(
                            Code.NAME_LONG,
                            places.ofKey("machines." + group),
                            "openstack-ansible names containers after their host, and " + name + " has more than "
                                    + LONGEST_NAME + " letters.",
                            "Give the group a shorter name."));
        }
    }

    /** Hosts that exist are looked at when they are reached. */
    private void sizes() {
        if (cloud.smallHosts() || site.provider().machinesExist()) {
            return;
        }
        for (var group : cloud.groups()) {
            var machine = site.machines().get(group);
            if (machine != null) {
                size(group, machine);
            }
        }
    }

    private void size(Name group, MachineGroup machine) {
        if (machine.memory().compareTo(MEMORY) < 0) {
            small("machines." + group + ".memory", "memory", MEMORY, machine.memory());
        }
        machine.disk()
                .filter(disk -> disk.compareTo(DISK) < 0)
                .ifPresent(disk -> small("machines." + group + ".disk", "disk", DISK, disk));
    }

    private void small(String place, String what, Size least, Size has) {
        findings.faultOnce(
                Code.MACHINE_SMALL,
                places.of(place),
                "A host of OpenStack needs " + least + " of " + what + ", and these machines have " + has + ".",
                "Make it " + least + "; or write smallHosts: true in the cluster if you know that less will do.");
    }

    private void networks(OpenStackNetworks networks) {
        String place = path + ".networks";
        var segments = new LinkedHashMap<String, Segment>();
        segments.put("management", networks.management());
        segments.put("overlay", networks.overlay());
        networks.storage().ifPresent(storage -> segments.put("storage", storage));
        segments.forEach((key, segment) -> segment(segment, place + "." + key));
        apart(segments, place);
        networks.internalVip()
                .ifPresent(vip -> inside(vip, networks.management().range(), place + ".internalVip"));
        if (networks.internalVip().isEmpty() && machines(cloud.control()) > 1) {
            missing(
                    "networks.internalVip",
                    "Three control machines answer at one address, which none of them has.",
                    "Add \"internalVip: …\" under networks, a free address in "
                            + networks.management().range() + ".");
        }
        networks.firstHost()
                .ifPresent(first -> inside(first, networks.management().range(), place + ".firstHost"));
        if (networks.isExternalVipNeither()) {
            findings.faultOnce(
                    Code.NOT_ADDRESS,
                    places.of(place + ".externalVip"),
                    networks.externalVip() + " is not an address, and a host name has letters.",
                    "Write a name such as cloud.example.org, or an address such as 192.0.2.10.");
        } else if (machines(cloud.control()) > 1 && networks.outside().isEmpty()) {
            missing(
                    "networks.externalAddress",
                    "Three control machines hand over an address, and externalVip is a name.",
                    "Add \"externalAddress: …\" under networks, the address of that name.");
        }
        if (networks.internalVip()
                .map(IpAddress::toString)
                .filter(networks.externalVip()::equals)
                .isPresent()) {
            findings.faultOnce(
                    Code.NOT_TOGETHER,
                    places.of(place + ".externalVip"),
                    "Outside services are spoken to with TLS, and inside without: one address cannot serve both.",
                    "Name another address of the control machine, or a name of it.");
        }
    }

    private void segment(Segment segment, String place) {
        if (segment.range().isIpv6()) {
            findings.faultOnce(
                    Code.NOT_RANGE,
                    places.of(place + ".range"),
                    "openstack-ansible of these releases gives containers IPv4 addresses.",
                    "Name an IPv4 range.");
            return;
        }
        var used = segment.usedRanges();
        for (int i = 0; i < used.size(); i++) {
            used(used.get(i).getFirst(), used.get(i).getLast(), segment.range(), place + ".used[" + i + "]");
        }
    }

    private void used(String first, String last, Cidr range, String place) {
        usedEnd(first, range, place);
        usedEnd(last, range, place);
        if (!findings.isUnsound(place)
                && range.position(IpAddress.parse(last)).compareTo(range.position(IpAddress.parse(first))) < 0) {
            findings.fault(
                    Code.WRONG_ORDER,
                    places.of(place),
                    "It begins at " + first + " and ends before, at " + last + ".",
                    "Write " + last + "-" + first + ".");
        }
    }

    private void usedEnd(String end, Cidr range, String place) {
        IpAddress.find(end)
                .ifPresentOrElse(
                        address -> inside(address, range, place),
                        () -> findings.faultOnce(
                                Code.ADDRESS_UNUSABLE,
                                places.of(place),
                                end + " is no address.",
                                "Write one, such as " + range.network() + "."));
    }

    private void inside(IpAddress address, Cidr range, String place) {
        if (!range.contains(address)) {
            findings.faultOnce(
                    Code.ADDRESS_UNUSABLE,
                    places.of(place),
                    address + " is not in " + range + ".",
                    "Name an address in there.");
        }
    }

    private void apart(Map<String, Segment> segments, String place) {
        var keys = List.copyOf(segments.keySet());
        for (int i = 0; i < keys.size(); i++) {
            for (var other : keys.subList(0, i)) {
                var one = segments.get(keys.get(i));
                var two = segments.get(other);
                if (one != null && two != null && one.range().overlaps(two.range())) {
                    findings.faultOnce(
                            Code.RANGES_OVERLAP,
                            places.of(place + "." + keys.get(i) + ".range"),
                            one.range() + " and that of " + other + ", " + two.range() + ", share addresses.",
                            "Give each a range of its own.");
                }
            }
        }
    }

    private void missing(String key, String why, String fix) {
        findings.faultOnce(Code.MISSING_KEY, places.of(path + "." + key), why, fix);
    }
}
