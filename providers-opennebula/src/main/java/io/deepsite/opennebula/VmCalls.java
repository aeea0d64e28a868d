package io.deepsite.opennebula;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.opennebula.oca.Element;
import io.deepsite.opennebula.oca.OneException;
import io.deepsite.opennebula.oca.Template;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Polling;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Makes, changes and deletes virtual machines, in a few calls each. Their order makes a crash at any point recoverable. */
final class VmCalls {
    /** Allows for a large image, copied to the host before the machine boots. */
    private static final Duration LIMIT = Duration.ofMinutes(45);

    private final Api api;
    private final TaggedResources things;
    private final Polling<Snapshot.Vm> polling;
    private final VmTemplate templates;
    private final DiskCalls disks;
    private final Duration patience;
    private final InstantSource clock;

    /** @param patience how long a machine may wait for a host */
    VmCalls(
            Api api,
            TaggedResources things,
            Polling<Snapshot.Vm> polling,
            VmTemplate templates,
            DiskCalls disks,
            Duration patience,
            InstantSource clock) {
        this.api = api;
        this.things = things;
        this.polling = polling;
        this.templates = templates;
        this.disks = disks;
        this.patience = patience;
        this.clock = clock;
    }

    void create(Resource desired, Tags tags, Boot boot, Call call) {
        var found = things.making().vm(desired.id(), desired.name(), tags);
        if (found.isPresent() && found.get().life().neverRan() && differs(found.get(), desired)) {
            call.progress("deleting: site.yaml changed before it ran");
            delete(found.get(), call);
            found = Optional.empty();
        }
        if (found.isEmpty()) {
            if (call.cancelled()) {
                throw things.cancelled("Making " + desired.name() + " was cancelled. Nothing was changed.");
            }
            call.progress("creating");
        }
        int id = found.map(Snapshot.Vm::id).orElseGet(() -> make(desired, tags, boot));
        run(id, desired.name(), call);
    }

    private boolean differs(Snapshot.Vm vm, Resource desired) {
        return !VmAttributes.observed(vm, Observation.volumes(api.allImages())).equals(desired.lastingValues());
    }

    private int make(Resource desired, Tags tags, Boot boot) {
        var base = desired.values().get(VmAttributes.TEMPLATE);
        if (base == null) {
            return api.vms().allocate(templates.of(desired, tags, boot, api.version(), Map::of));
        }
        int id = Integer.parseInt(base.substring(base.lastIndexOf(' ') + 1));
        return api.templates()
                .instantiate(id, desired.name(), templates.of(desired, tags, boot, api.version(), () -> os(id)));
    }

    private Map<String, String> os(int template) {
        return api.templates().all().stream()
                .filter(one -> one.id() == template)
                .flatMap(one -> one.first("TEMPLATE/OS").stream())
                .findFirst()
                .map(Element::values)
                .orElseGet(TreeMap::new);
    }

    /** Waits until it runs. Retries a failed start once. */
    private void run(int id, String name, Call call) {
        boolean retried = false;
        while (true) {
            var vm = settled(id, name, call);
            if (vm.life().isRunning()) {
                return;
            }
            if (vm.life().isPending()) {
                throw new Failure(waits(vm));
            }
            if (vm.life().rests()) {
                call.progress("starting");
                api.vms().action("resume", id);
                moved(id, name, vm.life(), call);
            } else if (retried || !retry(vm, call)) {
                throw new Failure(failed(vm, retried));
            } else {
                retried = true;
            }
        }
    }

    /** False if only an administrator may. */
    private boolean retry(Snapshot.Vm vm, Call call) {
        call.progress(vm.life().words() + ": trying again");
        try {
            api.vms().retry(vm.id());
        } catch (OneException.Refused _) {
            return false;
        }
        return true;
    }

    /** Waits until its state is final, or until it has waited too long for a host. */
    private Snapshot.Vm settled(int id, String name, Call call) {
        var pending = new AtomicReference<@Nullable Instant>();
        var shown = new AtomicReference<>("");
        return await(
                id,
                vm -> {
                    var life = vm.life();
                    var words = life.isPending() && !vm.schedulerMessage().isEmpty()
                            ? "PENDING: " + vm.schedulerMessage()
                            : life.words();
                    if (!words.equals(shown.getAndSet(words))) {
                        call.progress(words);
                    }
                    if (life.isPending()) {
                        var since = pending.updateAndGet(before -> before == null ? clock.instant() : before);
                        return since != null
                                && Duration.between(since, clock.instant()).compareTo(patience) >= 0;
                    }
                    return life.isRunning() || life.rests() || life.hasFailed();
                },
                "starting the VM " + name,
                name,
                call);
    }

    /** Waits for a state change: a list that started before an action may still show the old state. */
    private void moved(int id, String name, Life before, Call call) {
        await(id, vm -> !vm.life().equals(before), "starting the VM " + name, name, call);
    }

    private Snapshot.Vm await(int id, Predicate<Snapshot.Vm> done, String what, String name, Call call) {
        var last = new AtomicReference<@Nullable Life>();
        try {
            return polling.await(
                            String.valueOf(id),
                            seen -> {
                                seen.ifPresent(vm -> last.set(vm.life()));
                                return seen.map(done::test).orElse(true);
                            },
                            LIMIT,
                            what,
                            call)
                    .orElseThrow(() -> vanished(name));
        } catch (Failure failure) {
            var life = last.get();
            throw failure.diagnostics().getFirst().code() == Code.OPENNEBULA_TOO_SLOW && life != null
                    ? tooSlow(id, name, life, failure)
                    : failure;
        }
    }

    private Failure tooSlow(int id, String name, Life life, Failure cause) {
        return new Failure(
                Diagnostic.error(
                        Code.OPENNEBULA_TOO_SLOW,
                        "The VM " + name + " at " + things.front() + " has been in " + life.words() + " for too long"
                                + (life.isKnown() ? "" : ", a state that this version of deepsite does not know")
                                + ". It still exists, and OpenNebula keeps working on it.",
                        "See what OpenNebula reports about it, then run the same command again: it resumes from here.",
                        "onevm show " + id),
                cause);
    }

    private Failure vanished(String name) {
        return new Failure(Diagnostic.error(
                Code.OPENNEBULA_VM_FAILED,
                "The VM " + name + " at " + things.front() + " was made, but then deleted.",
                "Another client deletes VMs of this user. Stop it, then run the same command again."));
    }

    private Diagnostic failed(Snapshot.Vm vm, boolean retried) {
        return Diagnostic.error(
                Code.OPENNEBULA_VM_FAILED,
                "The VM " + vm.name() + " at " + things.front() + " is in "
                        + vm.life().words()
                        + (retried ? ", also after a retry" : "; only an administrator may retry it here")
                        + ". OpenNebula says: "
                        + (vm.error().isEmpty() ? "no reason given." : Faults.sentence(vm.error()))
                        + " It is still there.",
                "Fix what it names, then run the same command again: it retries. The log on the host has more:",
                "onevm show " + vm.id(),
                "less /var/log/one/" + vm.id() + ".log");
    }

    /** Adds the hosts' free capacity and cards: the scheduler's message does not say which of them is missing. */
    private Diagnostic waits(Snapshot.Vm vm) {
        var hosts = api.hosts().all().stream()
                .map(Read::host)
                .sorted(Comparator.comparingInt(Snapshot.Host::id))
                .toList();
        return Diagnostic.error(
                Code.OPENNEBULA_VM_WAITS,
                "The VM " + vm.name() + " at " + things.front() + " has been "
                        + vm.life().words() + " for "
                        + patience.toSeconds() + " s. The scheduler says: "
                        + (vm.schedulerMessage().isEmpty() ? "nothing." : Faults.sentence(vm.schedulerMessage()))
                        + (hosts.isEmpty() ? " This user sees no host." : " Free: " + HostWords.free(hosts) + ".")
                        + " The VM keeps waiting.",
                "Ask for less, free capacity, or name other hosts; check that the scheduler runs. To wait longer, set"
                        + " patience in provider.opennebula. Then run the same command again.",
                "onevm show " + vm.id());
    }

    void update(ObservedResource seen, Resource desired, Call call) {
        var vm = things.vm(seen);
        int id = things.needed(vm, seen.id(), seen.name());
        var now = vm.orElseThrow();
        disks.bring(now, seen, desired, call);
        note(now.id(), seen, desired);
        if (changes(seen, desired, VmAttributes.CPUS) || changes(seen, desired, VmAttributes.MEMORY)) {
            resize(now, desired, call);
        }
        run(id, seen.name(), call);
    }

    private static boolean changes(ObservedResource seen, Resource desired, String key) {
        return !Objects.equals(seen.attributes().get(key), desired.values().get(key));
    }

    private void note(int id, ObservedResource seen, Resource desired) {
        if (VmAttributes.NOTED.stream().noneMatch(key -> changes(seen, desired, key))) {
            return;
        }
        var template = new Template();
        Noted.into(template, desired, VmAttributes.NOTED);
        template.putOrRemove(VmTemplate.REQUIREMENTS, desired.values().get(VmAttributes.PLACEMENT));
        api.vms().merge(id, template);
    }

    private void resize(Snapshot.Vm vm, Resource desired, Call call) {
        powerOff(vm, call);
        call.progress("resizing");
        var cpus = desired.values().getOrDefault(VmAttributes.CPUS, "1");
        api.vms()
                .resize(
                        vm.id(),
                        new Template()
                                .put("CPU", cpus)
                                .put("VCPU", cpus)
                                .put(
                                        "MEMORY",
                                        desired.values()
                                                .getOrDefault(VmAttributes.MEMORY, "")
                                                .replace("MiB", "")));
    }

    private void powerOff(Snapshot.Vm vm, Call call) {
        if (!vm.life().rests()) {
            call.progress("powering off");
            api.vms().action("poweroff-hard", vm.id());
            await(
                    vm.id(),
                    now -> now.life().state() == Life.POWEROFF || now.life().hasFailed(),
                    "powering off the VM " + vm.name(),
                    vm.name(),
                    call);
        }
    }

    /**
     * Stops the machine as if its power failed, so nothing that it writes at a shutdown is in the image, and saves its first
     * disk. OpenNebula could save it while the machine runs, but then file by file of a disk that changes.
     *
     * @return the image's id
     */
    int saveDisk(ObservedResource seen, String image, Call call) {
        var found = things.vm(seen);
        things.needed(found, seen.id(), seen.name());
        var vm = found.orElseThrow();
        powerOff(vm, call);
        if (call.cancelled()) {
            throw things.cancelled("The image " + image + " was not stored.");
        }
        call.progress("storing");
        return api.vms()
                .saveDisk(
                        vm.id(),
                        vm.disks().stream().mapToInt(Snapshot.Disk::id).min().orElse(0),
                        image);
    }

    void delete(ObservedResource seen, Call call) {
        things.vm(seen).ifPresent(vm -> {
            call.progress("deleting");
            delete(vm, call);
        });
    }

    private void delete(Snapshot.Vm vm, Call call) {
        things.delete(() -> api.vms().action(VmTemplate.END, vm.id()), "VM " + vm.name(), call);
        polling.await(String.valueOf(vm.id()), Optional::isEmpty, LIMIT, "deleting the VM " + vm.name(), call);
    }

    void retag(ObservedResource seen, Ownership ownership) {
        things.vm(seen).ifPresent(vm -> new VmLease(api).move(vm.id(), ownership));
    }

    /** Checks the keys: a machine gets other keys only when it is made again. */
    void place(ObservedResource machine, Boot boot) {
        var vm = things.vm(machine.id(), machine.name(), machine.tags());
        things.needed(vm, machine.id(), machine.name());
        if (!vm.orElseThrow()
                .keys()
                .entrySet()
                .containsAll(VmAttributes.digests(boot).entrySet())) {
            throw new Failure(Diagnostic.error(
                    Code.OPENNEBULA_KEYS_LOST,
                    "The VM " + machine.name() + " at " + things.front()
                            + " was made with keys that this state folder does not hold, and deepsite cannot give other keys"
                            + " to an existing VM. Nothing was changed.",
                    "Restore vault.yml and login_key of the site's state folder from a backup. Without them, destroy the"
                            + " site and apply it again:",
                    "deepsite destroy",
                    "deepsite apply"));
        }
    }

    /** Why it cannot answer; empty while it runs or starts. */
    Optional<String> down(String machine, Name site) {
        var name = Kinds.name(site, new ResourceId(Kinds.VM, machine));
        var found = api.allVms().stream().filter(vm -> vm.name().equals(name)).findFirst();
        if (found.isEmpty()) {
            return Optional.of("it is not there");
        }
        return found.filter(vm -> vm.life().rests() || vm.life().hasFailed())
                .map(vm -> "it is in " + vm.life().words()
                        + (vm.error().isEmpty()
                                ? ""
                                : ", because: " + vm.error().strip().replaceAll("\\.$", "")));
    }
}
