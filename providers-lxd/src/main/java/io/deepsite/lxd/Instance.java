package io.deepsite.lxd;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An instance as LXD lists it.
 *
 * @param config its own; the expanded values include those of its profiles
 */
record Instance(
        String name,
        String project,
        String status,
        String type,
        List<String> profiles,
        Map<String, String> config,
        Map<String, Map<String, String>> devices,
        Map<String, Map<String, String>> expandedDevices) {

    Instance(
            String name,
            @Nullable String project,
            @Nullable String status,
            @Nullable String type,
            @Nullable List<String> profiles,
            @Nullable Map<String, String> config,
            @Nullable Map<String, Map<String, String>> devices,
            @Nullable Map<String, Map<String, String>> expandedDevices) {
        this.name = Objects.requireNonNull(name);
        this.project = Objects.requireNonNullElse(project, "default");
        this.status = Objects.requireNonNullElse(status, "");
        this.type = Objects.requireNonNullElse(type, "container");
        this.profiles = Objects.requireNonNullElse(profiles, List.of());
        this.config = Objects.requireNonNullElse(config, Map.of());
        this.devices = Objects.requireNonNullElse(devices, Map.of());
        this.expandedDevices = Objects.requireNonNullElse(expandedDevices, this.devices);
    }

    boolean isRunning() {
        return status.equals("Running");
    }

    /** Whether it is stopped or stopping: no process of it runs any more. */
    boolean isStopped() {
        return status.equals("Stopped");
    }

    boolean isVirtualMachine() {
        return type.equals(MachineAttributes.VIRTUAL_MACHINE);
    }

    String path() {
        return "/1.0/instances/" + name;
    }
}
