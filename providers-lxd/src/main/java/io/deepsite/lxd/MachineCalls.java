package io.deepsite.lxd;

import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.CloudConfig;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Makes, changes and deletes machines, in a few requests each. Their order makes a crash at any point recoverable. */
final class MachineCalls {
    /** Images with this property take the host name from deepsite's config key. */
    private static final String TAKES_HOSTNAME = "image.deepsite.hostname";

    private static final String USER_DATA = "cloud-init.user-data";

    private final Instances instances;
    private final Faults faults;
    private final String project;

    MachineCalls(Instances instances, Faults faults, String project) {
        this.instances = instances;
        this.project = project;
        this.faults = faults;
    }

    void create(Resource desired, Tags tags, Boot boot, Call call) {
        var name = desired.name();
        instances.settle(name, call);
        var existing = instances.find(name).map(Rest.Etagged::value);
        if (existing.isPresent()) {
            requireOurs(existing.get(), desired.id(), tags);
            if (isFinished(existing.get())) {
                return;
            }
            // Never used: making it again is safer and cheaper than finding out what it lacks.
            remove(existing.get(), call);
        }
        checkCancelled(name, Faults.NOTHING_CHANGED, call);
        make(desired, tags, boot, call);
        try {
            finish(desired, boot, call);
        } catch (Refusal refusal) {
            throw refusal.leaving(incomplete(name));
        }
    }

    private void make(Resource desired, Tags tags, Boot boot, Call call) {
        var config = new LinkedHashMap<>(new Ownership(desired.id(), tags, project).config());
        config.putAll(MachineAttributes.config(desired));
        boolean virtual = MachineAttributes.isVirtualMachine(desired);
        if (virtual) {
            // LXD writes files into a virtual machine through its agent, so only after the first start.
            config.put(USER_DATA, userData(desired.id().key(), boot));
        }
        var fingerprint = desired.values().getOrDefault(MachineAttributes.FINGERPRINT, "");
        desired.bakedImage().ifPresent(_ -> config.put(MachineAttributes.BAKED_OF_KEY, fingerprint));
        call.progress("creating");
        try {
            instances.create(
                    new Instances.New(
                            desired.name(),
                            virtual ? MachineAttributes.VIRTUAL_MACHINE : "container",
                            Optional.ofNullable(desired.values().get(MachineAttributes.TARGET)),
                            desired.bakedImage()
                                    .map(alias -> Map.of("alias", alias))
                                    .orElse(Map.of("fingerprint", fingerprint)),
                            MachineAttributes.profiles(desired),
                            config,
                            MachineAttributes.devices(desired)),
                    call);
        } catch (Refusal refusal) {
            if (!refusal.isOwnFault()) {
                // Another client may have made it meanwhile; LXD reports that only as text.
                instances.find(desired.name()).ifPresent(found -> requireOurs(found.value(), desired.id(), tags));
            }
            throw refusal.leaving("The machine " + desired.name() + " was not made.");
        }
    }

    void place(ObservedResource machine, Boot boot) {
        var name = machine.name();
        var instance = instances
                .find(name)
                .orElseThrow(() -> new Refusal(404, "GET /1.0/instances/" + name, "it is gone"))
                .value();
        requireOurs(instance, machine.id(), machine.tags());
        boot.files().forEach(file -> instances.push(name, file));
    }

    private void finish(Resource desired, Boot boot, Call call) {
        var name = desired.name();
        if (!MachineAttributes.isVirtualMachine(desired)) {
            fill(desired, boot);
        }
        checkCancelled(name, incomplete(name), call);
        call.progress("starting");
        instances.start(name, call);
        instances.set(name, Map.of(MachineAttributes.READY_KEY, "true"));
    }

    private void fill(Resource desired, Boot boot) {
        var name = desired.name();
        var made = instances.find(name).map(Rest.Etagged::value);
        if (made.map(instance -> !instance.config().containsKey(TAKES_HOSTNAME)).orElse(false)) {
            instances.nameInside(name, desired.id().key());
        }
        boot.files().forEach(file -> instances.push(name, file));
    }

    private static String userData(String hostname, Boot boot) {
        return CloudConfig.HEAD + Json.MAPPER.writeValueAsString(CloudConfig.of(hostname, Optional.empty(), boot));
    }

    void update(ObservedResource seen, Resource desired, Call call) {
        var name = seen.name();
        var read = instances
                .findWhole(name)
                .orElseThrow(() -> new Refusal(404, "GET /1.0/instances/" + name, "it is gone"));
        var instance = Rest.read(read.value(), Instance.class, "GET /1.0/instances/" + name);
        requireOurs(instance, desired.id(), seen.tags());
        boolean restart = MachineAttributes.needsRestart(seen.attributes(), desired);
        if (restart && instance.isRunning()) {
            call.progress("stopping");
            instances.stop(name, false, call);
            read = instances.findWhole(name).orElse(read);
            instance = Rest.read(read.value(), Instance.class, "GET /1.0/instances/" + name);
        }
        try {
            replace(read, instance, desired, call);
        } catch (Refusal refusal) {
            throw refusal.leaving(
                    "The machine " + name + " was not changed; it is " + (restart ? "stopped." : "still running."));
        }
        if (!instance.isRunning()) {
            call.progress("starting");
            start(name, call);
        }
    }

    private void replace(Rest.Etagged<JsonNode> read, Instance instance, Resource desired, Call call) {
        var config = MachineAttributes.mergedConfig(instance, desired);
        var devices = MachineAttributes.mergedDevices(instance, desired);
        var profiles = MachineAttributes.profiles(desired);
        if (!config.equals(instance.config())
                || !devices.equals(instance.devices())
                || !profiles.equals(instance.profiles())) {
            call.progress("changing");
            instances.replace(read, profiles, config, devices, call);
        }
    }

    private void start(String name, Call call) {
        try {
            instances.start(name, call);
        } catch (Refusal refusal) {
            throw refusal.leaving("The machine " + name + " was changed but does not run.");
        }
    }

    void delete(ObservedResource seen, Call call) {
        instances.settle(seen.name(), call);
        var existing = instances.find(seen.name()).map(Rest.Etagged::value);
        if (existing.isPresent()) {
            requireOurs(existing.get(), seen.id(), seen.tags());
            remove(existing.get(), call);
        }
    }

    private void remove(Instance instance, Call call) {
        var name = instance.name();
        try {
            if (!instance.isStopped()) {
                call.progress("stopping");
                instances.stop(name, true, call);
            }
            call.progress("deleting");
            instances.delete(name, call);
        } catch (Refusal refusal) {
            if (!refusal.isNotFound()) {
                throw refusal.leaving("The machine " + name + " is still there.");
            }
        }
    }

    void retag(ObservedResource seen, Map<String, String> config) {
        instances.find(seen.name()).ifPresent(found -> {
            requireOurs(found.value(), seen.id(), seen.tags());
            instances.set(seen.name(), config);
        });
    }

    /** Stops a machine as if its power failed: nothing that it writes at a shutdown comes into the image. */
    void publish(ObservedResource machine, Map<String, String> properties, String alias, Call call) {
        var name = machine.name();
        instances.settle(name, call);
        var instance = instances
                .find(name)
                .orElseThrow(() -> new Refusal(404, "GET /1.0/instances/" + name, "it is gone"))
                .value();
        requireOurs(instance, machine.id(), machine.tags());
        if (!instance.isStopped()) {
            call.progress("stopping");
            instances.stop(name, true, call);
        }
        checkCancelled(name, "No image was stored.", call);
        call.progress("storing");
        instances.publish(name, properties, alias, call);
    }

    private static boolean isFinished(Instance instance) {
        return instance.config().containsKey(MachineAttributes.READY_KEY);
    }

    private void requireOurs(Instance instance, ResourceId id, Tags tags) {
        if (!Ownership.isOn(instance.config(), id, tags, project)) {
            throw faults.nameTaken("instance", instance.name());
        }
    }

    private static String incomplete(String name) {
        return "The machine " + name + " exists, marked half made; the next apply makes it again.";
    }

    /** @throws Failure CANCELLED */
    private void checkCancelled(String name, String changed, Call call) {
        if (call.cancelled()) {
            throw faults.cancelled("Making " + name + " was cancelled. " + changed);
        }
    }
}
