package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Checks the keys of a machine group that only LXD has, and turns them into attributes. */
final class GroupDesign {
    private static final String NO_VIRTUAL_MACHINES = "Instance type not operational";

    private final Snapshot snapshot;
    private final DaemonSettings settings;
    private final Site site;
    private final List<Diagnostic> faults;
    private final DeviceUse use;

    GroupDesign(Snapshot snapshot, DaemonSettings settings, Site site, DeviceUse use, List<Diagnostic> faults) {
        this.snapshot = snapshot;
        this.settings = settings;
        this.site = site;
        this.use = use;
        this.faults = faults;
    }

    /** Collects the faults of all groups. */
    void check() {
        site.machines().forEach((name, machine) -> {
            var group = settings.of(name);
            profiles(name, group);
            target(name, group, !machine.gpus().isEmpty());
            virtualMachines(name, group);
            nvidia(name, group);
            paths(name, group);
        });
        use.check();
    }

    /** @param number of the machine in its group, from 0 */
    SortedMap<String, String> attributes(Name name, int number) {
        var group = settings.of(name);
        var attributes = new TreeMap<>(ExtraDevices.wanted(group, number));
        if (!group.profiles().isEmpty()) {
            attributes.put(MachineAttributes.PROFILES, String.join(",", group.profiles()));
        }
        if (group.virtualMachines()) {
            attributes.put(MachineAttributes.TYPE, MachineAttributes.VIRTUAL_MACHINE);
        }
        group.target().ifPresent(target -> attributes.put(MachineAttributes.TARGET, target));
        if (group.nvidiaRuntime()) {
            attributes.put("nvidia-runtime", "true");
        }
        if (!group.nvidiaCapabilities().isEmpty()) {
            attributes.put("nvidia-capabilities", String.join(",", group.nvidiaCapabilities()));
        }
        return attributes;
    }

    private void profiles(Name name, LxdMachines group) {
        var known = snapshot.profiles().stream()
                .map(Snapshot.Profile::name)
                .sorted()
                .toList();
        var missing = group.profiles().stream()
                .filter(profile -> !known.contains(profile))
                .toList();
        if (!missing.isEmpty()) {
            faults.add(Diagnostic.error(
                    Code.LXD_PROFILE_MISSING,
                    "The machine group " + name + " uses " + String.join(", ", missing) + ", and " + where() + " has "
                            + (known.isEmpty() ? "no profile." : String.join(", ", known) + "."),
                    "Remove it from " + setting(name) + ".profiles, or create it:",
                    settings.daemon().client("profile create " + missing.getFirst() + inProject())));
        }
    }

    private void target(Name name, LxdMachines group, boolean cards) {
        var members = snapshot.members();
        if (group.target().isEmpty()) {
            if (cards && !members.isEmpty()) {
                unusable(
                        "The machine group " + name + " asks for cards, and in a cluster each member has its own.",
                        "Add target: " + answering() + " to " + setting(name)
                                + ", or name another member and its own endpoint.");
            }
            return;
        }
        var target = group.target().get();
        var there = members.stream()
                .filter(member -> target.startsWith("@")
                        ? member.groups().contains(target.substring(1))
                        : member.serverName().equals(target))
                .toList();
        if (members.isEmpty()) {
            unusable(
                    "The machine group " + name + " has the target " + target + ", but " + where()
                            + " is not a cluster.",
                    "Remove target from " + setting(name) + ".");
        } else if (there.isEmpty()) {
            unusable(
                    "The machine group " + name + " has the target " + target + ", but the cluster has: "
                            + members.stream()
                                    .map(member ->
                                            member.serverName() + " (" + String.join(", ", member.groups()) + ")")
                                    .collect(Collectors.joining(", "))
                            + ".",
                    "Name one of them, or a group of them as @group.");
        } else if (there.stream().noneMatch(member -> member.status().equals("Online"))) {
            unusable(
                    "The machine group " + name + " has the target " + target + ", which is "
                            + there.getFirst().status() + ".",
                    "Bring it online, or name another. This command shows the members, on "
                            + settings.daemon().host() + ":",
                    settings.daemon().client("cluster list"));
        } else if (cards && !target.equals(answering())) {
            unusable(
                    "The machine group " + name + " asks for cards of " + target + ", but " + where()
                            + " only reports which cards " + answering() + " has.",
                    "Name the endpoint of " + target + " in "
                            + settings.daemon().setting("endpoint") + ", or another target.");
        }
    }

    private String answering() {
        var environment = snapshot.server().environment();
        return environment == null ? "" : environment.serverName();
    }

    private void unusable(String why, String fix, String... commands) {
        faults.add(Diagnostic.error(Code.LXD_TARGET_UNUSABLE, why, fix, commands));
    }

    private void virtualMachines(Name name, LxdMachines group) {
        var environment = snapshot.server().environment();
        if (!group.virtualMachines()
                || environment == null
                || environment.driver().contains("qemu")) {
            return;
        }
        var reason = snapshot.warnings().stream()
                .filter(warning -> warning.type().equals(NO_VIRTUAL_MACHINES))
                .map(Snapshot.Warning::lastMessage)
                .findFirst();
        faults.add(Diagnostic.error(
                Code.LXD_NO_VIRTUAL_MACHINES,
                "The machine group " + name + " asks for virtual machines, but " + where() + " cannot run them: "
                        + reason.orElse("it reports no driver for them") + ".",
                "Fix what " + settings.daemon() + " names on its host and restart it, or remove virtualMachines from "
                        + setting(name) + "."));
    }

    private void nvidia(Name name, LxdMachines group) {
        if (group.nvidiaRuntime()
                && snapshot.cards().stream()
                        .noneMatch(
                                card -> card.nvidia() != null && card.nvidia().cudaVersion() != null)) {
            faults.add(Diagnostic.error(
                    Code.LXD_DEVICE_MISSING,
                    "The machine group " + name + " asks for NVIDIA's runtime, but the host of " + where()
                            + " has no card with a driver that nvidia-container-cli supports.",
                    "Install NVIDIA's driver and container tools there and restart " + settings.daemon()
                            + ", or remove nvidiaRuntime from " + setting(name) + "."));
        }
    }

    private void paths(Name name, LxdMachines group) {
        group.devices().forEach((key, device) -> path("device", name + ".devices." + key, device.source()));
        group.folders().forEach((key, folder) -> path("folder", name + ".folders." + key, folder.source()));
        if (group.folders().values().stream().anyMatch(LxdMachines.HostFolder::shift) && !canShift()) {
            faults.add(Diagnostic.error(
                    Code.LXD_DEVICE_MISSING,
                    "The machine group " + name + " asks to shift a folder, but the kernel of " + where()
                            + " supports neither shiftfs nor idmapped mounts.",
                    "Remove shift, or use a host with a kernel of 5.12 or newer."));
        }
    }

    private void path(String kind, String key, String path) {
        var wrong = snapshot.paths().get(path);
        if (wrong != null) {
            faults.add(Diagnostic.error(
                    wrong.forbidden() ? Code.HOST_PATH : Code.LXD_DEVICE_MISSING,
                    "The " + kind + " " + path + " of " + settings.daemon().host() + " cannot be given to machines. "
                            + wrong.why(),
                    "Fix it there, or change " + settings.daemon().setting("groups." + key) + "."));
        }
    }

    private boolean canShift() {
        var environment = snapshot.server().environment();
        return environment == null
                || environment
                        .kernelFeatures()
                        .getOrDefault("idmapped_mounts", "")
                        .equals("true")
                || environment.kernelFeatures().getOrDefault("shiftfs", "").equals("true");
    }

    private String setting(Name group) {
        return settings.daemon().setting("groups." + group);
    }

    private String where() {
        return snapshot.at() + (isUsualProject() ? "" : " in the project " + project());
    }

    private String inProject() {
        return isUsualProject() ? "" : " --project " + project();
    }

    private boolean isUsualProject() {
        return project().equals(DaemonSettings.USUAL_PROJECT);
    }

    private String project() {
        return snapshot.project().name();
    }
}
