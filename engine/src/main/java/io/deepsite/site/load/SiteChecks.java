package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.site.DriverRepository;
import io.deepsite.site.LeaseTerms;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Release;
import io.deepsite.site.Site;
import io.deepsite.site.SshJump;
import io.deepsite.site.SshPublicKey;
import java.util.HashMap;

/** What must hold between the keys of a site: lease and machines here, the rest in classes of their own. */
final class SiteChecks {
    /** Longest host name label: back-end names are {@code <site>-<machine>}. */
    private static final int LONGEST_LABEL = 63;

    private final SiteModel model;
    private final Site site;
    private final Places places;
    private final Findings findings;

    SiteChecks(SiteModel model, Site site, Places places, Findings findings) {
        this.model = model;
        this.site = site;
        this.places = places;
        this.findings = findings;
    }

    void run() {
        var context = new CheckContext(site, places, findings);
        if (!findings.isUnsound("provider")) {
            model.check(context, site.provider());
        }
        site.lease().ifPresent(this::lease);
        if (!findings.isUnsound("provider") && !site.provider().machinesExist()) {
            site.lease().ifPresent(this::end);
        }
        site.machines().forEach(this::group);
        mirrors();
        machineNames();
        site.ssh().jump().ifPresent(this::jump);
        new GpuChecks(site, places, findings).run();
        new DriverChecks(site, places, findings).run();
        new PassedDeviceChecks(site, places, findings).run();
        new UserChecks(site, places, findings).run();
        site.directory().ifPresent(directory -> new DirectoryChecks(site, directory, places, findings).run());
        new VolumeChecks(context).run();
        site.clusters().forEach((name, cluster) -> model.check(context, name, cluster));
    }

    private void lease(LeaseTerms lease) {
        lease.max().filter(max -> max.compareTo(lease.duration()) < 0).ifPresent(max -> {
            if (sound("lease.max", "lease.duration")) {
                findings.fault(
                        Code.WRONG_ORDER,
                        places.of("lease.max"),
                        "The lease lasts " + lease.duration() + " from the start, and may be extended up to " + max
                                + " only.",
                        "Make max at least " + lease.duration() + ".");
            }
        });
    }

    private void end(LeaseTerms lease) {
        var provider = site.provider().provider();
        switch (site.provider().siteEnd()) {
            case OF_ITSELF ->
                findings.noEffect(places, "lease.enforcedBy", "A site of this back-end ends with its lease by itself.");
            case BY_A_TIMER -> {
                if (lease.enforcedBy().isEmpty()) {
                    findings.fault(
                            Code.LEASE_NOT_ENFORCED,
                            places.of("lease"),
                            "Nothing would end it: " + provider + " does not, and apply runs on another machine.",
                            "Write enforcedBy: this-machine to have a timer on the machine that applies, if that stays"
                                    + " on; or enforcedBy: elsewhere, if `deepsite lease reap` or the service does it.");
                }
            }
            case BY_ITS_ADMIN -> {
                if (lease.enforcedBy().isEmpty() || lease.byThisMachine()) {
                    findings.fault(
                            Code.LEASE_NOT_ENFORCED,
                            places.of(lease.enforcedBy().isEmpty() ? "lease" : "lease.enforcedBy"),
                            "Nothing would end it: its back-end is another machine, and its certificates are files of"
                                    + " this site.",
                            "Run `deepsite lease reap --site site.yaml` once a minute where these files are, and write"
                                    + " enforcedBy: elsewhere.");
                }
            }
        }
    }

    private void mirrors() {
        var apt = site.mirrors().apt();
        archive("debian", apt.debian().isPresent());
        archive("ubuntu", apt.ubuntu().isPresent());
        boolean drivers = site.machines().values().stream()
                .flatMap(group -> group.driver().stream())
                .flatMap(driver -> driver.repository().stream())
                .anyMatch(DriverRepository::isPublic);
        if (!drivers && sound("machines")) {
            findings.noEffect(
                    places, "mirrors.apt.nvidia", "No driver of a machine group comes from NVIDIA's repositories.");
        }
    }

    private void archive(String distribution, boolean given) {
        boolean used = site.machines().values().stream()
                .flatMap(group -> group.image().flatMap(Release::of).stream())
                .anyMatch(release -> release.distribution().equals(distribution));
        if (given && !used && sound("machines", "provider")) {
            findings.noEffect(
                    places,
                    "mirrors.apt." + distribution,
                    site.provider().machinesExist()
                            ? "The hosts of an inventory keep the archives that they have."
                            : "No group is of an image " + distribution + "/N whose archives deepsite knows.");
        }
    }

    private void jump(SshJump jump) {
        String path = "ssh.jump.hostKey";
        String fault = jump.hostKey().map(SshPublicKey::fault).orElse("");
        if (!fault.isEmpty() && sound(path)) {
            findings.fault(
                    Code.NOT_SSH_KEY,
                    places.of(path),
                    fault,
                    "Copy the one line of the host's /etc/ssh/ssh_host_ed25519_key.pub.");
        }
    }

    private void group(Name name, MachineGroup group) {
        String path = "machines." + name;
        if (name.value().equals("localhost") && sound(path)) {
            findings.fault(
                    Code.RESERVED_NAME, places.ofKey(path), "Every machine calls itself localhost.", "Choose another.");
        }
        if (findings.isUnsound("provider")) {
            return;
        }
        if (site.provider().machinesExist()) {
            String why = "The hosts of a static provider exist already, and the inventory lists them.";
            findings.noEffect(places, path + ".image", why);
            findings.noEffect(places, path + ".count", why);
            findings.noEffect(places, path + ".disk", why);
        } else if (group.image().isEmpty() && sound(path + ".image")) {
            findings.fault(
                    Code.IMAGE_NEEDED,
                    places.ofKey(path),
                    "The provider makes the machines of " + name + ", and the file does not say from what.",
                    "Add \"image: debian/12\".");
        } else {
            group.image()
                    .filter(_ -> sound(path + ".image"))
                    .ifPresent(image -> Release.unsupported(image)
                            .ifPresent(why -> findings.fault(
                                    Code.IMAGE_UNSUPPORTED,
                                    places.of(path + ".image"),
                                    "No role can configure machines of " + image + ": " + why + ".",
                                    "Use an image of Debian, such as debian/12, or of Ubuntu.")));
        }
    }

    private void machineNames() {
        if (site.provider().machinesExist() || findings.isUnsound("provider")) {
            return;
        }
        var taken = new HashMap<String, Name>();
        site.machines().forEach((group, machines) -> {
            String path = "machines." + group;
            if (!sound(path + ".count")) {
                return;
            }
            var names = site.machineNames(group);
            for (String machine : names) {
                var other = taken.putIfAbsent(machine, group);
                if (other != null) {
                    findings.fault(
                            Code.MACHINE_NAME_TWICE,
                            places.ofKey(path),
                            "The groups " + other + " and " + group + " would both have a machine " + machine + ".",
                            "Rename one of the groups.");
                    break;
                }
            }
            int longest = names.stream().mapToInt(String::length).max().orElse(0);
            int length = site.name().value().length() + 1 + longest;
            if (length > LONGEST_LABEL && sound("site")) {
                findings.fault(
                        Code.NAME_TOO_LONG,
                        places.ofKey(path),
                        "Its machines would be named like " + site.name() + "-" + names.getLast() + ", which has "
                                + length + " characters; " + LONGEST_LABEL + " are the limit.",
                        "Shorten the name of the site or of the group.");
            }
        });
    }

    private boolean sound(String... paths) {
        for (String path : paths) {
            if (findings.isUnsound(path)) {
                return false;
            }
        }
        return true;
    }
}
