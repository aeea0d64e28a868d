package io.deepsite.cluster;

import io.deepsite.contract.Item;
import io.deepsite.contract.Marker;
import io.deepsite.provider.Machine;
import io.deepsite.provider.PciBus;
import io.deepsite.provider.Requirements;
import io.deepsite.site.Cluster;
import io.deepsite.site.IpAddress;
import io.deepsite.site.MachineCount;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.SshCertificates;
import io.deepsite.site.User;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/** All stages of a site: package sources, names and users first, then each cluster's own. */
public final class SiteStages {
    /** The user of acceptance jobs, on every machine of a cluster. */
    public static final String VERIFY_USER = "deepsite-verify";

    /** Above every uid that site.yaml may give to people. */
    private static final int VERIFY_UID = 59_999;

    private static final int GROUP_GIDS = 9_000;

    /** The action of the role site_users that deletes accounts of former users whose uids are reassigned. */
    public static final String FORMER_ACCOUNTS = "former-accounts";

    public static final String HOSTS = "site.etc_hosts";
    public static final String USERS = "site.users";
    public static final String CERTIFICATES = "site.certificates";
    public static final String DIRECTORY = DirectoryStage.NAME;
    public static final String DISKS = DiskStage.NAME;
    public static final String SERVED_VOLUMES = "site.served_volumes";
    public static final String VOLUMES = "site.volumes";

    /** The role whose hosts accept certificates of the site's authority. */
    public static final String CERTIFICATES_ROLE = "ssh_certificates";

    /** The secret with the key pair of the authority that signs users' certificates. */
    public static final String AUTHORITY = "user_ca_ssh_key";

    private final ClusterKinds kinds;
    private final Site site;

    public SiteStages(ClusterKinds kinds, Site site) {
        this.kinds = kinds;
        this.site = site;
    }

    /**
     * @param buses by machine, as in {@link io.deepsite.provider.Design}
     * @param accounts by machine: uids by login name of all users that deepsite made there, wanted or not
     */
    public List<Stage> stages(
            List<Machine> machines, Map<String, PciBus> buses, Map<String, ? extends Map<String, Integer>> accounts) {
        return all(machines, accounts, (pci, others) -> pci.first(machines, buses, others));
    }

    /** The names, hosts and needs of the stages, where no host was asked what it has. */
    public List<Stage> outline(List<Machine> machines) {
        return all(machines, Map.of(), (pci, others) -> pci.outline(machines, others));
    }

    private List<Stage> all(
            List<Machine> machines,
            Map<String, ? extends Map<String, Integer>> accounts,
            BiFunction<PciStage, List<Stage>, List<Stage>> pci) {
        var homes = new ArrayList<Stage>();
        var clusters = new ArrayList<Stage>();
        site.clusters().forEach((name, cluster) -> {
            for (var stage : kinds.of(site, name, cluster).stages(machines)) {
                (stage.role().equals("shared_home") ? homes : clusters).add(stage);
            }
        });
        var stages = new ArrayList<Stage>();
        if (!site.clusters().isEmpty()) {
            stages.add(new Stage(HOSTS, "etc_hosts", hosts(site, machines), 0, List.of(), false));
        }
        var disks = DiskStage.of(site, requirements(), machines);
        disks.ifPresent(stages::add);
        stages.addAll(afterDisks(homes, disks));
        var users = users(site, machines, accounts);
        if (!users.isEmpty()) {
            // Home folders are on the shared volume, so it must exist first.
            stages.add(new Stage(
                    USERS,
                    "site_users",
                    users,
                    0,
                    Stream.concat(disks.stream(), homes.stream())
                            .map(Stage::name)
                            .toList(),
                    false));
        }
        site.directory()
                .map(directory -> DirectoryStage.of(
                        site,
                        directory,
                        machines,
                        stages.stream().map(Stage::name).toList()))
                .ifPresent(stages::add);
        if (!site.volumes().isEmpty()) {
            stages.addAll(afterDisks(new VolumeStages(site).stages(machines), disks));
        }
        site.ssh().certificates().map(wanted -> certificates(wanted, machines)).ifPresent(byHost -> {
            if (!byHost.isEmpty()) {
                stages.add(new Stage(CERTIFICATES, CERTIFICATES_ROLE, byHost, 0, List.of(USERS), false));
            }
        });
        stages.addAll(clusters);
        var onDrivers = NvidiaStages.first(site, machines, stages);
        return Downloads.first(site, machines, pci.apply(new PciStage(site, this::configuresLibvirt), onDrivers));
    }

    /** What is served is mounted first. */
    private static List<Stage> afterDisks(List<Stage> stages, Optional<Stage> disks) {
        return disks.isEmpty()
                ? stages
                : stages.stream().map(stage -> stage.needing(DISKS)).toList();
    }

    /** Stages of the site's machines, after the one that sets package sources and proxy, if the site names any. */
    public List<Stage> afterDownloads(List<Machine> machines, List<Stage> others) {
        return Downloads.first(site, machines, others);
    }

    private boolean configuresLibvirt(Name group) {
        return site.clusters().entrySet().stream()
                .anyMatch(entry ->
                        kinds.of(site, entry.getKey(), entry.getValue()).configuresLibvirt(group));
    }

    public Requirements requirements() {
        var groups = new LinkedHashMap<Name, Requirements.Group>();
        var flows = new ArrayList<Requirements.Flow>();
        var addresses = new ArrayList<IpAddress>();
        var counts = new ArrayList<MachineCount>();
        var ofVolumes = new VolumeStages(site).requirements();
        flows.addAll(ofVolumes.flows());
        groups.putAll(ofVolumes.groups());
        site.clusters().forEach((name, cluster) -> {
            var wanted = kinds.of(site, name, cluster).requirements();
            flows.addAll(wanted.flows());
            addresses.addAll(wanted.addresses());
            counts.addAll(wanted.counts());
            wanted.groups().forEach((group, asked) -> groups.merge(group, asked, SiteStages::both));
        });
        return new Requirements(groups, flows, addresses, counts);
    }

    public List<Acceptance> acceptance(List<Machine> machines) {
        return site.clusters().entrySet().stream()
                .flatMap(entry -> kinds.of(site, entry.getKey(), entry.getValue()).acceptance(machines).stream())
                .toList();
    }

    /** The address, or a marker if only the machine will know it. */
    public static String address(Machine machine) {
        return machine.address().orElseGet(() -> Marker.fact(new Item.Unknown(machine.name(), "address")));
    }

    /**
     * A machine with a name of its own (a head) lists all others; one of many lists only the heads, so that adding one
     * more changes nothing on the rest.
     */
    private static Map<String, Map<String, Object>> hosts(Site site, List<Machine> machines) {
        var all = machines.stream().map(SiteStages::named).toList();
        var ofTheirOwn = machines.stream()
                .filter(machine -> isOneOfItsKind(site, machine, machines))
                .map(SiteStages::named)
                .toList();
        var byHost = new LinkedHashMap<String, Map<String, Object>>();
        machines.forEach(machine -> byHost.put(
                machine.name(),
                Map.of("etc_hosts_machines", isOneOfItsKind(site, machine, machines) ? all : ofTheirOwn)));
        return byHost;
    }

    private static Map<String, String> named(Machine machine) {
        return Map.of("name", machine.name(), "address", address(machine));
    }

    private static boolean isOneOfItsKind(Site site, Machine machine, List<Machine> machines) {
        var group = site.machines().get(machine.group());
        return (group == null || group.count().isEmpty())
                && machines.stream()
                                .filter(other -> other.group().equals(machine.group()))
                                .count()
                        == 1;
    }

    private static Map<String, Map<String, Object>> users(
            Site site, List<Machine> machines, Map<String, ? extends Map<String, Integer>> accounts) {
        var inCluster = new LinkedHashSet<Name>();
        site.clusters().values().stream().map(Cluster::groups).forEach(inCluster::addAll);
        var gids = groupIds(site);
        var byHost = new LinkedHashMap<String, Map<String, Object>>();
        for (var machine : machines) {
            var groups = new ArrayList<Map<String, Object>>();
            var users = new ArrayList<Map<String, Object>>();
            site.users().forEach((name, user) -> {
                groups.add(Map.of("name", name.value(), "gid", user.uid()));
                users.add(user(
                        name.value(),
                        user.uid(),
                        user.groups().stream().map(Name::value).toList(),
                        user.shell(),
                        user.name().orElse(""),
                        user.locked() ? List.of() : user.keys(),
                        user.locked()));
            });
            gids.forEach((name, gid) -> groups.add(Map.of("name", name, "gid", gid)));
            if (inCluster.contains(machine.group())) {
                groups.add(Map.of("name", VERIFY_USER, "gid", VERIFY_UID));
                users.add(user(
                        VERIFY_USER, VERIFY_UID, List.of(), "/bin/sh", "deepsite acceptance jobs", List.of(), false));
            }
            if (!users.isEmpty()) {
                var variables = new HashMap<String, Object>();
                variables.put("site_users_groups", groups);
                variables.put("site_users_users", users);
                var known = accounts.get(machine.name());
                var former = known == null ? List.of() : former(known, users);
                if (!former.isEmpty()) {
                    variables.put("site_users_former", former);
                }
                byHost.put(machine.name(), variables);
            }
        }
        return byHost;
    }

    private Map<String, Map<String, Object>> certificates(SshCertificates wanted, List<Machine> machines) {
        var byHost = new LinkedHashMap<String, Map<String, Object>>();
        for (var machine : machines) {
            // An inventory may name another login than ssh.user: that one must neither lose its key nor trust others.
            var users = site.activeUsers().keySet().stream()
                    .map(Name::value)
                    .filter(name -> !name.equals(machine.user()))
                    .toList();
            if (!users.isEmpty()) {
                byHost.put(
                        machine.name(),
                        Map.of(
                                "ssh_certificates_authority", AUTHORITY,
                                "ssh_certificates_users", users,
                                "ssh_certificates_own_keys", wanted.ownKeys()));
            }
        }
        return byHost;
    }

    /** Accounts of former users whose uid is reassigned: the uid is blocked while they exist. */
    private static List<Map<String, Object>> former(Map<String, Integer> accounts, List<Map<String, Object>> users) {
        var heirs = new HashMap<Object, Object>();
        users.forEach(user -> heirs.put(user.get("uid"), user.get("name")));
        return accounts.entrySet().stream()
                .filter(account -> !heirs.containsValue(account.getKey()))
                .filter(account -> heirs.containsKey(account.getValue()))
                .sorted(Map.Entry.comparingByKey())
                .map(account -> Map.of(
                        "name", account.getKey(),
                        "uid", account.getValue(),
                        "heir", Objects.requireNonNull(heirs.get(account.getValue()))))
                .toList();
    }

    private static Map<String, Object> user(
            String name,
            int uid,
            List<String> groups,
            String shell,
            String comment,
            List<String> keys,
            boolean locked) {
        var user = new HashMap<String, Object>();
        user.put("name", name);
        user.put("uid", uid);
        user.put("group", name);
        user.put("groups", groups);
        user.put("home", "/home/" + name);
        user.put("shell", shell);
        user.put("comment", comment);
        user.put("keys", keys);
        user.put("locked", locked);
        return user;
    }

    /**
     * A gid for each group of the users, derived from the group's name alone: removing a group or user from site.yaml
     * must not change the gids of others, which their files carry.
     */
    private static Map<String, Integer> groupIds(Site site) {
        var ids = new LinkedHashMap<String, Integer>();
        var taken = new HashSet<Integer>();
        site.users().values().forEach(user -> taken.add(user.uid()));
        site.users().values().stream()
                .flatMap(user -> user.groups().stream())
                .map(Name::value)
                .distinct()
                .sorted()
                .forEach(name -> {
                    int gid = User.FIRST_GROUP_GID + Math.floorMod(name.hashCode(), GROUP_GIDS);
                    while (!taken.add(gid)) {
                        gid++;
                    }
                    ids.put(name, gid);
                });
        return ids;
    }

    private static Requirements.Group both(Requirements.Group one, Requirements.Group other) {
        var volumes = new LinkedHashSet<>(one.volumes());
        volumes.addAll(other.volumes());
        var modules = new LinkedHashSet<>(one.kernelModules());
        modules.addAll(other.kernelModules());
        return new Requirements.Group(
                one.nesting() || other.nesting(),
                List.copyOf(volumes),
                List.copyOf(modules),
                Math.max(one.minCpus(), other.minCpus()),
                larger(one.minMemory(), other.minMemory()));
    }

    private static <T extends Comparable<T>> Optional<T> larger(Optional<T> one, Optional<T> other) {
        return one.isEmpty() ? other : other.isEmpty() || one.get().compareTo(other.get()) >= 0 ? one : other;
    }
}
