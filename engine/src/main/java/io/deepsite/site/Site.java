package io.deepsite.site;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Everything one site.yaml describes. Maps keep the order of the file. */
public record Site(
        @Key(
                value = "Name of the site. Machines and everything else made for it carry it.",
                name = "site",
                example = "quickstart",
                impact = ChangeImpact.REPLACE)
        Name name,

        @Key(value = "The back-end that makes the machines; exactly one.", impact = ChangeImpact.REPLACE)
        ProviderSettings provider,

        @Key("How long the site lives. Without it the site stays until it is destroyed.")
        Optional<LeaseTerms> lease,

        @Key(value = "Groups of equal machines, by name.", required = true)
        Map<Name, MachineGroup> machines,

        @Key("Clusters to build on the machines, by name.") Map<Name, Cluster> clusters,

        @Key("People with an account on every machine, by login name.")
        Map<Name, User> users,

        @Key(
                value =
                        "A file with more of them, relative to the folder of site.yaml; `deepsite users import` writes it.",
                example = "users.yaml",
                impact = ChangeImpact.FILE)
        Optional<String> usersFrom,

        @Key("An LDAP directory with more people, whom machines ask for themselves.")
        Optional<Directory> directory,

        @Key("File systems for data that machines of several groups mount, by name.")
        Map<Name, Volume> volumes,

        @Key("How deepsite logs in to the machines, and users with certificates.")
        SshAccess ssh,

        @Key("When and how patiently the site proves itself.")
        VerifyPolicy verify,

        @Key("Values used as ${name}, set with --set name=value.")
        Map<Name, Parameter> parameters,

        @Key(value = "The site's own places of what machines install.", impact = ChangeImpact.FILE)
        Mirrors mirrors,

        @Key(
                value = "Proxy for downloads on the machines: for apt, and in the environment.",
                impact = ChangeImpact.FILE)
        Proxy proxy,

        @Key(value = "Where state is kept; a folder beside site.yaml by default.", notYet = true)
        Optional<String> state) {

    public Site {
        machines = Ordered.copy(machines);
        clusters = Ordered.copy(clusters);
        users = Ordered.copy(users);
        volumes = Ordered.copy(volumes);
        parameters = Ordered.copy(parameters);
    }

    /** Those who are not locked. */
    public Map<Name, User> activeUsers() {
        var active = new LinkedHashMap<>(users);
        active.values().removeIf(User::locked);
        return Collections.unmodifiableMap(active);
    }

    /** The same site, of these users. */
    public Site withUsers(Map<Name, User> all) {
        return new Site(
                name,
                provider,
                lease,
                machines,
                clusters,
                all,
                usersFrom,
                directory,
                volumes,
                ssh,
                verify,
                parameters,
                mirrors,
                proxy,
                state);
    }

    /** The same with other machine groups. */
    public Site withMachines(Map<Name, MachineGroup> groups) {
        return new Site(
                name,
                provider,
                lease,
                groups,
                clusters,
                users,
                usersFrom,
                directory,
                volumes,
                ssh,
                verify,
                parameters,
                mirrors,
                proxy,
                state);
    }

    /**
     * Host names of a group: the group's own name without {@code count}, else {@code <group>-1} …, and then those that an
     * elastic group has beyond.
     */
    public List<String> machineNames(Name group) {
        var machineGroup = machines.get(group);
        if (machineGroup == null) {
            throw new IllegalArgumentException("no machine group " + group);
        }
        if (machineGroup.count().isEmpty()) {
            return List.of(group.value());
        }
        var names = new ArrayList<String>();
        for (int i = 1; i <= machineGroup.count().get(); i++) {
            names.add(group.value() + "-" + i);
        }
        machineGroup.beyond().tailSet(machineGroup.count().get() + 1).forEach(i -> names.add(group.value() + "-" + i));
        return names;
    }
}
