package io.deepsite.cluster.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.site.Cidr;
import io.deepsite.site.IpAddress;
import io.deepsite.site.MachineCount;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Release;
import io.deepsite.site.Site;
import io.deepsite.site.load.CheckContext;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.NamedGroup;
import io.deepsite.site.load.Places;
import io.deepsite.site.load.Wording;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** What must hold between the keys of an OpenNebula cloud; {@link PassthroughChecks} checks its devices. */
final class OpenNebulaChecks {
    private final CheckContext context;
    private final Name name;
    private final Site site;
    private final Places places;
    private final Findings findings;
    private final OpenNebula cloud;
    private final String path;

    OpenNebulaChecks(CheckContext context, Name name, OpenNebula cloud) {
        this.context = context;
        this.name = name;
        this.site = context.site();
        this.places = context.places();
        this.findings = context.findings();
        this.cloud = cloud;
        this.path = "clusters." + name;
    }

    void run() {
        context.claim("OpenNebula", name, groups());
        version();
        provider();
        frontend();
        install();
        cloud.networks().forEach((name, network) -> network(network, path + ".networks." + name));
        cloud.vmTemplates().forEach((name, template) -> {
            String place = path + ".vmTemplates." + name;
            named(template.image(), cloud.images().keySet(), "images", place + ".image");
            template.network()
                    .ifPresent(network -> named(network, cloud.networks().keySet(), "networks", place + ".network"));
        });
        var acceptance = cloud.acceptance();
        acceptance
                .image()
                .ifPresent(image -> named(image, cloud.images().keySet(), "images", path + ".acceptance.image"));
        acceptance
                .network()
                .ifPresent(name -> named(name, cloud.networks().keySet(), "networks", path + ".acceptance.network"));
        new PassthroughChecks(places, findings, cloud, path).run();
    }

    private void version() {
        if (!OpenNebulaRelease.KNOWN.contains(cloud.version())) {
            findings.faultOnce(
                    Code.VERSION_UNSUPPORTED,
                    places.of(path + ".version"),
                    "This deepsite writes the configuration of OpenNebula " + Wording.allOf(OpenNebulaRelease.KNOWN)
                            + "; " + cloud.version() + " is not among them.",
                    "Name one of these.");
        }
    }

    private void provider() {
        if (cloud.hosts().stream().anyMatch(site.provider()::containers) && !findings.isUnsound("provider")) {
            findings.faultOnce(
                    Code.NOT_WITH_PROVIDER,
                    places.of(path + ".hosts"),
                    "These machines are containers, which run no virtual machines: they have no /dev/kvm.",
                    "Take hosts that exist (provider: static), or machines of a cloud that lets them virtualize.");
        }
    }

    public static MachineCount frontends(Name name, OpenNebula cloud) {
        return new MachineCount(
                cloud.frontend(),
                MachineCount.Rule.ONE,
                "the front-end of the cloud " + name,
                "One front-end keeps the cloud's database.",
                Code.CONTROLLER_COUNT);
    }

    private void frontend() {
        String place = path + ".frontend";
        context.count(frontends(name, cloud), place);
        int shared = cloud.hosts().indexOf(cloud.frontend());
        if (shared >= 0 && !findings.isUnsound(path + ".hosts")) {
            findings.faultOnce(
                    Code.GROUP_TWICE,
                    places.of(path + ".hosts[" + shared + "]"),
                    cloud.frontend() + " is the front-end of the same cloud. Whoever breaks out of a virtual machine"
                            + " would hold the cloud's database and its key to all hosts.",
                    "Name another group.");
        }
    }

    private void install() {
        var install = cloud.install();
        if (install.packages().isEmpty() && !install.given()) {
            for (var named : groups()) {
                if (release(named.group()).isEmpty() && !findings.isUnsound("machines")) {
                    findings.faultOnce(
                            Code.REPOSITORY_NEEDED,
                            places.of(named.place()),
                            "OpenNebula's own repository has a folder for each distribution, and nothing tells which one"
                                    + " the machines of " + named.group() + " run.",
                            "Add install: {packages: …} with the folder's address, or install: {given: true} where the"
                                    + " packages are there.");
                    return;
                }
            }
        }
    }

    /** Empty where only the machines know it. */
    private Optional<Release> release(Name group) {
        return Optional.ofNullable(site.machines().get(group))
                .flatMap(MachineGroup::image)
                .flatMap(Release::of);
    }

    private void network(OpenNebula.Network network, String place) {
        if (findings.isUnsound(place + ".range") || findings.isUnsound(place + ".first")) {
            return;
        }
        var range = network.range();
        if (range.isIpv6()) {
            findings.faultOnce(
                    Code.NOT_RANGE,
                    places.of(place + ".range"),
                    "Virtual machines get IPv4 addresses from this version.",
                    "Name an IPv4 range, such as 10.80.0.0/24.");
        } else if (!isUsable(range, network.first())) {
            findings.faultOnce(
                    Code.ADDRESS_UNUSABLE,
                    places.of(place + ".first"),
                    network.first() + " is no address of a machine in " + range + ".",
                    "Name one inside the range.");
        } else if (range.position(network.first())
                        .add(BigInteger.valueOf(network.count()))
                        .compareTo(range.size().subtract(BigInteger.ONE))
                > 0) {
            findings.faultOnce(
                    Code.ADDRESS_UNUSABLE,
                    places.of(place + ".count"),
                    network.count() + " addresses from " + network.first() + " on reach over the end of " + range + ".",
                    "Lower count, or begin earlier.");
        }
        network.gateway().ifPresent(gateway -> {
            if (!range.contains(gateway)) {
                findings.faultOnce(
                        Code.ADDRESS_UNUSABLE,
                        places.of(place + ".gateway"),
                        gateway + " is not in " + range + ", so no machine there reaches it.",
                        "Name the router's address in that network.");
            }
        });
    }

    private static boolean isUsable(Cidr range, IpAddress address) {
        return range.contains(address)
                && !address.equals(range.network())
                && range.position(address).compareTo(range.size().subtract(BigInteger.ONE)) < 0;
    }

    private void named(Name name, Collection<Name> known, String key, String place) {
        if (!known.contains(name) && !findings.isUnsound(path + "." + key)) {
            findings.faultOnce(
                    Code.NOT_NAMED,
                    places.of(place),
                    "There is no " + name + " under " + key + ", only " + Wording.allOf(known) + ".",
                    Wording.didYouMean(
                            name.value(),
                            known.stream().map(Name::value).toList(),
                            "Name one of them, or add it there."));
        }
    }

    /** Names of groups that must exist, by their place. */
    private List<NamedGroup> groups() {
        var groups = new ArrayList<NamedGroup>();
        groups.add(new NamedGroup(cloud.frontend(), path + ".frontend"));
        groups.addAll(NamedGroup.of(cloud.hosts(), path + ".hosts"));
        return groups;
    }
}
