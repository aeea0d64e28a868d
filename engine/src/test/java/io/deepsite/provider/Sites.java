package io.deepsite.provider;

import io.deepsite.site.GpuRequest;
import io.deepsite.site.ImageName;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Mirrors;
import io.deepsite.site.Name;
import io.deepsite.site.ProviderSettings;
import io.deepsite.site.Proxy;
import io.deepsite.site.Site;
import io.deepsite.site.Size;
import io.deepsite.site.Span;
import io.deepsite.site.SshAccess;
import io.deepsite.site.VerifyPolicy;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Sites for tests: machines only, everything else as site.yaml's defaults have it. */
public final class Sites {
    private Sites() {}

    public static Site site(String name, ProviderSettings provider, Map<String, MachineGroup> groups) {
        var machines = new LinkedHashMap<Name, MachineGroup>();
        groups.forEach((group, machine) -> machines.put(new Name(group), machine));
        return new Site(
                new Name(name),
                provider,
                Optional.empty(),
                machines,
                Map.of(),
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                new SshAccess(
                        "root",
                        22,
                        Optional.empty(),
                        Optional.empty(),
                        Span.parse("5m"),
                        Span.parse("20m"),
                        Optional.empty()),
                new VerifyPolicy(Span.parse("24h"), Span.parse("2m")),
                Map.of(),
                Mirrors.NONE,
                Proxy.NONE,
                Optional.empty());
    }

    /** One machine, named as the group. */
    public static MachineGroup single(String image, int cpus, String memory, GpuRequest... gpus) {
        return group(image, Optional.empty(), cpus, memory, gpus);
    }

    /** Machines named {@code <group>-1} … */
    public static MachineGroup many(String image, int count, int cpus, String memory, GpuRequest... gpus) {
        return group(image, Optional.of(count), cpus, memory, gpus);
    }

    private static MachineGroup group(
            String image, Optional<Integer> count, int cpus, String memory, GpuRequest... gpus) {
        return new MachineGroup(
                Optional.of(new ImageName(image)),
                count,
                cpus,
                Size.parse(memory),
                Optional.empty(),
                List.of(gpus),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                Collections.emptySortedSet());
    }

    /** As reported by a back-end that chooses the address when it makes the machine. */
    public static Machine withoutAddress(Machine machine) {
        return new Machine(
                machine.name(),
                machine.group(),
                machine.resource(),
                machine.provider(),
                machine.specs(),
                new Machine.Ssh(
                        Optional.empty(),
                        machine.port(),
                        machine.user(),
                        machine.hostKey(),
                        machine.via(),
                        machine.outside()));
    }
}
