package io.deepsite.statics;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.Where;
import io.deepsite.provider.BackEnd;
import io.deepsite.provider.DeclaredSize;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Survey;
import io.deepsite.remote.TrustedHosts;
import io.deepsite.site.MachineCount;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The current hosts of an inventory. */
final class StaticSurvey implements Survey {
    private final Path file;
    private final Inventory inventory;
    private final TrustedHosts knownHosts;

    StaticSurvey(Path file, Inventory inventory, TrustedHosts knownHosts) {
        this.file = file;
        this.inventory = inventory;
        this.knownHosts = knownHosts;
    }

    /** The back-end is the hosts: SSH keys identify them, whatever the inventory's path. */
    @Override
    public BackEnd backEnd() {
        return new BackEnd("hosts of an inventory", "the hosts of " + file);
    }

    @Override
    public List<ObservedResource> owned() {
        return List.of();
    }

    @Override
    public Design compile(Site site, Requirements requirements) {
        var faults = new ArrayList<Diagnostic>();
        var machines = new ArrayList<Machine>();
        site.machines().forEach((name, group) -> {
            var hosts = hosts(inventory, name);
            if (hosts.isEmpty()) {
                faults.add(withoutHosts(name));
            }
            for (String host : hosts) {
                var reader = new HostReader(host, inventory, knownHosts, site.ssh(), where());
                var machine = reader.machine(name, group);
                faults.addAll(reader.faults());
                machines.add(machine);
            }
        });
        twice(site, faults);
        requirements.counts().forEach(count -> count(count, faults));
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
        return new Design(List.of(), machines);
    }

    /** Ansible advises against hyphens in group names, so an underscore may replace them. */
    static List<String> hosts(Inventory inventory, Name group) {
        var hosts = inventory.hosts(group.value());
        return hosts.isEmpty() ? inventory.hosts(group.value().replace('-', '_')) : hosts;
    }

    private Diagnostic withoutHosts(Name group) {
        var groups = inventory.groups();
        return Diagnostic.error(
                Code.GROUP_WITHOUT_HOSTS,
                where(),
                "The inventory has " + (groups.contains(group.value()) ? "no host in the group " : "no group ") + group
                        + ", which site.yaml names under machines.",
                groups.isEmpty()
                        ? "Add the group with its hosts; the inventory has no groups."
                        : "Add its hosts, or name one of the groups " + String.join(", ", groups) + ".");
    }

    private void twice(Site site, List<Diagnostic> faults) {
        var groups = site.machines().keySet().stream().map(Name::value).toList();
        inventory
                .shared(groups)
                .forEach((host, of) -> faults.add(Diagnostic.error(
                        Code.HOST_TWICE,
                        where(),
                        host + " is in " + String.join(" and in ", of) + "; a machine belongs to one group.",
                        "Keep it in one of them.")));
    }

    /** site.yaml has no counts for static groups, so only the inventory can be checked. */
    private void count(MachineCount count, List<Diagnostic> faults) {
        int hosts = hosts(inventory, count.group()).size();
        if (hosts > 0 && !count.rule().allows(hosts)) {
            faults.add(Diagnostic.error(
                    count.code(),
                    where(),
                    "The inventory has " + hosts + " hosts in " + count.group() + "; " + count.part() + " must be "
                            + count.rule().of("hosts") + ". " + count.why(),
                    "Keep " + count.rule().of("hosts") + " in the group."));
        }
    }

    @Override
    public Map<String, DeclaredSize> declaredSizes(Site site) {
        var faults = new ArrayList<Diagnostic>();
        var sizes = new TreeMap<String, DeclaredSize>();
        site.machines()
                .keySet()
                .forEach(group -> hosts(inventory, group).forEach(host -> {
                    var reader = new HostReader(host, inventory, knownHosts, site.ssh(), where());
                    reader.size().ifPresent(size -> sizes.put(host, size));
                    faults.addAll(reader.faults());
                }));
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
        return sizes;
    }

    @Override
    public List<String> describe() {
        return List.of(
                "static hosts, " + inventory.size() + " in " + file,
                "read by ansible-core " + inventory.ansibleVersion());
    }

    private Where where() {
        return Where.file(file.toString());
    }
}
