package io.deepsite.operations;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.DeclaredSize;
import io.deepsite.provider.Design;
import io.deepsite.provider.Machine;
import io.deepsite.site.Name;
import io.deepsite.state.SiteState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The size of hosts that exist, without a look at them: as their list declares it, else as the last apply recorded it.
 *
 * @param design with these sizes
 * @param sizes by host; none for a machine that deepsite makes, whose size site.yaml says
 */
record AssumedFacts(Design design, SortedMap<String, DeclaredSize> sizes) {

    /**
     * @param passes whether the hosts of a group pass devices through
     * @throws Failure with every host of which nothing is known
     */
    static AssumedFacts of(Predicate<Name> passes, Design design, Map<String, DeclaredSize> declared, SiteState state) {
        var sizes = new TreeMap<String, DeclaredSize>();
        var machines = new ArrayList<Machine>();
        var faults = new ArrayList<Diagnostic>();
        for (var machine : design.machines()) {
            var size = machine.resource().isPresent()
                    ? Optional.<DeclaredSize>empty()
                    : Optional.ofNullable(declared.get(machine.name())).or(() -> recorded(state, machine.name()));
            size.ifPresent(known -> sizes.put(machine.name(), known));
            machines.add(size.map(known -> machine.measured(known.cpus(), known.memoryMebibytes(), known.container()))
                    .orElse(machine));
        }
        var unknown = design.machines().stream()
                .filter(machine -> machine.resource().isEmpty() && !sizes.containsKey(machine.name()))
                .map(Machine::name)
                .toList();
        if (!unknown.isEmpty()) {
            faults.add(undeclared(unknown));
        }
        design.machines().stream()
                .filter(machine -> machine.resource().isEmpty())
                .map(Machine::group)
                .distinct()
                .filter(passes)
                .forEach(group -> faults.add(ofBuses(group)));
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
        return new AssumedFacts(design.measured(machines, design.buses()), sizes);
    }

    /** Empty for a host that was never applied. */
    static Optional<DeclaredSize> recorded(SiteState state, String host) {
        return Optional.ofNullable(state.hosts().get(host))
                .flatMap(recorded -> Optional.ofNullable(recorded.size()))
                .map(size -> new DeclaredSize(size.cpus(), size.memoryMebibytes(), size.container()));
    }

    private static Diagnostic undeclared(List<String> hosts) {
        return Diagnostic.error(
                Code.SIZE_UNDECLARED,
                "Nothing says what " + String.join(", ", hosts) + (hosts.size() == 1 ? " is" : " are")
                        + ", and without a login nothing can be measured.",
                "Give the host or its group in the inventory deepsite_cpus and deepsite_memory, such as 64 and 250GiB; a"
                        + " container deepsite_container: true, too.");
    }

    private static Diagnostic ofBuses(Name group) {
        return Diagnostic.error(
                Code.SIZE_UNDECLARED,
                "The hosts of " + group
                        + " pass devices through, and only their own buses tell what has to be written for" + " that.",
                "Render with logins: leave --assume-facts out.");
    }
}
