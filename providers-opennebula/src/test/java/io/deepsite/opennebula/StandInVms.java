package io.deepsite.opennebula;

import io.deepsite.opennebula.StandInCalls.Call;
import io.deepsite.opennebula.StandInCloud.No;
import io.deepsite.opennebula.StandInThing.Attribute;
import io.deepsite.opennebula.oca.OneVersion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Virtual machines of the stand-in: their states advance with each list request; they run nowhere. */
final class StandInVms {
    static final String GONE = "gone";
    private static final List<String> AT_ONCE = List.of("3/3");
    /** Attributes of a template that describe the machine; the rest are the user's. */
    private static final Set<String> OF_MACHINE =
            Set.of("CPU", "VCPU", "MEMORY", "DISK", "NIC", "OS", "PCI", "CONTEXT", "GRAPHICS", "FEATURES");

    private static final String SCHEDULED = "SCHED_ACTION";

    private final StandInCloud cloud;
    private final StandInDisks disks;
    private List<String> usual = List.of("3/1", "3/2", "3/3");
    private final Deque<List<String>> fates = new ArrayDeque<>();
    private final Deque<List<String>> retries = new ArrayDeque<>();

    StandInVms(StandInCloud cloud) {
        this.cloud = cloud;
        this.disks = new StandInDisks(cloud, this);
    }

    /** Every wait for a machine ends at its first request. */
    void atOnce() {
        usual = AT_ONCE;
    }

    /** The state of the next machine after a host accepted it: {@code 3/36} is a failed boot. */
    StandInVms next(String... states) {
        fates.add(List.of(states));
        return this;
    }

    /** The state of a machine after a retry. */
    StandInVms nextRetry(String... states) {
        retries.add(List.of(states));
        return this;
    }

    Object dispatch(Call call) {
        return switch (call.method()) {
            case "one.vmpool.info", "one.vmpool.infoextended" -> pool(call);
            case "one.vm.info" -> xml(vm(call.number(0)), true);
            case "one.vm.allocate" -> allocate(StandInThing.parse(call.text(0)));
            case "one.template.instantiate" -> {
                var base = cloud.get("template", call.number(0));
                var merged = StandInThing.merged(base.template, StandInThing.parse(call.text(3)));
                merged = StandInThing.merged(merged, List.of(new Attribute("NAME", call.text(1), new TreeMap<>())));
                yield allocate(merged);
            }
            case "one.vm.action" -> act(call.text(0), vm(call.number(1)));
            case "one.vm.recover" -> {
                var vm = vm(call.number(0));
                if (!state(vm).hasFailed()) {
                    throw new No(StandInCloud.WRONG_STATE, "This action is not available for state " + words(vm));
                }
                become(vm, retries.isEmpty() ? usual : retries.poll());
                yield vm.id;
            }
            case "one.vm.update" -> {
                var vm = vm(call.number(0));
                var fresh = StandInThing.parse(call.text(1));
                vm.userTemplate = call.number(2) == 1 ? StandInThing.merged(vm.userTemplate, fresh) : fresh;
                yield vm.id;
            }
            case "one.vm.resize" -> resize(vm(call.number(0)), StandInThing.parse(call.text(1)));
            case "one.vm.attach" -> disks.attach(vm(call.number(0)), StandInThing.parse(call.text(1)));
            case "one.vm.detach" -> disks.detach(vm(call.number(0)), call.number(1));
            case "one.vm.disksaveas" -> cloud.images().save(vm(call.number(0)), call);
            case "one.vm.diskresize" -> disks.grow(vm(call.number(0)), call.number(1), call.text(2));
            case "one.vm.schedadd" -> schedule(vm(call.number(0)), -1, StandInThing.parse(call.text(1)));
            case "one.vm.schedupdate" -> schedule(vm(call.number(0)), call.number(1), StandInThing.parse(call.text(2)));
            case "one.vm.scheddelete" -> {
                unschedule(vm(call.number(0)), call.number(1));
                yield call.number(1);
            }
            default -> throw new IllegalStateException("not played: " + call.method());
        };
    }

    private StandInThing vm(int id) {
        return cloud.get("vm", id);
    }

    static Life state(StandInThing vm) {
        return new Life(vm.number("STATE"), vm.number("LCM_STATE"));
    }

    private static String words(StandInThing vm) {
        return state(vm).words();
    }

    private boolean isNew() {
        return OneVersion.parse(cloud.version()).atLeast(OneVersion.V6_2);
    }

    private int allocate(List<Attribute> template) {
        if (StandInThing.text(template, "MEMORY").orElse("").isEmpty()
                || StandInThing.text(template, "CPU").orElse("").isEmpty()) {
            throw new No(StandInCloud.INTERNAL, "CPU and MEMORY attributes must be defined.");
        }
        for (var pci : StandInThing.vectors(template, "PCI")) {
            if (pci.containsKey("SHORT_ADDRESS") && (pci.containsKey("VENDOR") || pci.containsKey("DEVICE"))) {
                throw new No(StandInCloud.INTERNAL, "SHORT_ADDRESS cannot be combined with DEVICE, VENDOR or CLASS.");
            }
        }
        for (var nic : StandInThing.vectors(template, "NIC")) {
            lease(nic);
        }
        for (var disk : StandInThing.vectors(template, "DISK")) {
            int image = Integer.parseInt(disk.getOrDefault("IMAGE_ID", "-1"));
            if (cloud.get("image", image).number("STATE") == Snapshot.Image.ERROR) {
                throw new No(StandInCloud.NOT_MADE, "Cannot use IMAGE, it is in ERROR.");
            }
            disks.acquire(image);
        }
        var vm = cloud.add("vm", StandInThing.text(template, "NAME").orElse("vm"));
        template.forEach(attribute -> {
            boolean ofMachine = OF_MACHINE.contains(attribute.name())
                    || (isNew() && attribute.name().equals(SCHEDULED));
            if (ofMachine) {
                vm.template.add(numbered(vm, attribute));
            } else if (!attribute.name().equals("NAME")) {
                vm.userTemplate.add(attribute);
            }
        });
        vm.fields.put("STATE", String.valueOf(Life.PENDING));
        vm.fields.put("LCM_STATE", "0");
        return vm.id;
    }

    Attribute numbered(StandInThing vm, Attribute attribute) {
        var key = switch (attribute.name()) {
            case "DISK" -> "DISK_ID";
            case "NIC" -> "NIC_ID";
            case SCHEDULED -> "ID";
            default -> "";
        };
        if (key.isEmpty()) {
            return attribute;
        }
        var vector = new TreeMap<>(attribute.vector());
        vector.put(
                key,
                String.valueOf(StandInThing.vectors(vm.template, attribute.name()).stream()
                                .mapToInt(other -> Integer.parseInt(other.getOrDefault(key, "-1")))
                                .max()
                                .orElse(-1)
                        + 1));
        if (key.equals("ID") && OneVersion.parse(cloud.version()).atLeast(new OneVersion(6, 8, ""))) {
            // Seen with oned 6.10.0: one.vm.info of a machine whose action does not repeat.
            vector.put("REPEAT", "-1");
        }
        return new Attribute(attribute.name(), "", vector);
    }

    private void lease(Map<String, String> nic) {
        var network = cloud.get("network", Integer.parseInt(nic.getOrDefault("NETWORK_ID", "-1")));
        var address = nic.getOrDefault("IP", "");
        boolean within = StandInThing.vectors(network.template, "AR").stream().anyMatch(range -> {
            long first = StandInThing.asNumber(range.getOrDefault("IP", "0.0.0.0"));
            long asked = StandInThing.asNumber(address);
            return asked >= first && asked < first + Long.parseLong(range.getOrDefault("SIZE", "0"));
        });
        if (!StandInNetworks.isReady(network) || !within || leases(network.id).contains(address)) {
            throw new No(StandInCloud.INTERNAL, "Cannot get IP/MAC lease from virtual network " + network.id + ".");
        }
        for (var group : nic.getOrDefault("SECURITY_GROUPS", "").split(",")) {
            if (!group.isEmpty() && !group.equals("0")) {
                cloud.get("secgroup", Integer.parseInt(group));
            }
        }
    }

    List<String> leases(int network) {
        return cloud.all("vm").values().stream()
                .flatMap(vm -> StandInThing.vectors(vm.template, "NIC").stream())
                .filter(nic -> nic.getOrDefault("NETWORK_ID", "").equals(String.valueOf(network)))
                .map(nic -> nic.getOrDefault("IP", ""))
                .toList();
    }

    boolean uses(StandInThing vm, String kind, int id) {
        var number = String.valueOf(id);
        return switch (kind) {
            case "network" ->
                StandInThing.vectors(vm.template, "NIC").stream()
                        .anyMatch(nic -> nic.getOrDefault("NETWORK_ID", "").equals(number));
            case "secgroup" ->
                StandInThing.vectors(vm.template, "NIC").stream()
                        .anyMatch(nic -> List.of(
                                        nic.getOrDefault("SECURITY_GROUPS", "").split(","))
                                .contains(number));
            case "image" ->
                StandInThing.vectors(vm.template, "DISK").stream()
                        .anyMatch(disk -> disk.getOrDefault("IMAGE_ID", "").equals(number));
            default -> false;
        };
    }

    long usedCpu(int host) {
        return on(host).mapToLong(vm -> 100L * Long.parseLong(text(vm, "CPU"))).sum();
    }

    long usedMemory(int host) {
        return on(host).mapToLong(vm -> Long.parseLong(text(vm, "MEMORY"))).sum();
    }

    private Stream<StandInThing> on(int host) {
        return cloud.all("vm").values().stream().filter(vm -> vm.field("HOST").equals(String.valueOf(host)));
    }

    private static String text(StandInThing vm, String name) {
        return StandInThing.text(vm.template, name).orElse("0");
    }

    private String pool(Call call) {
        step();
        boolean whole = call.method().endsWith("extended")
                || !OneVersion.parse(cloud.version()).atLeast(OneVersion.V5_8);
        var text = new StringBuilder("<VM_POOL>");
        cloud.all("vm").values().forEach(vm -> text.append(xml(vm, whole)));
        return text.append("</VM_POOL>").toString();
    }

    /** From 5.8 on, lists omit most of a machine's data. */
    private static String xml(StandInThing vm, boolean whole) {
        return vm.whole(
                "VM",
                whole
                        ? StandInThing.xml("TEMPLATE", vm.template) + StandInThing.xml("USER_TEMPLATE", vm.userTemplate)
                        : "");
    }

    private void step() {
        for (var vm : new ArrayList<>(cloud.all("vm").values())) {
            if (state(vm).isPending()) {
                schedule(vm);
            }
            if (!vm.next.isEmpty()) {
                become(vm, vm.next.removeFirst());
            }
        }
    }

    /** The first host with capacity and cards gets it; else the scheduler reports it, as the real one does without naming cards. */
    private void schedule(StandInThing vm) {
        for (var host : cloud.all("host").values()) {
            long cpu = Long.parseLong(host.field("MAX_CPU")) - usedCpu(host.id);
            long memory = Long.parseLong(host.field("MAX_MEM")) / 1024 - usedMemory(host.id);
            if (host.field("STATE").equals("2")
                    && cpu >= 100L * Long.parseLong(text(vm, "CPU"))
                    && memory >= Long.parseLong(text(vm, "MEMORY"))
                    && cards(vm, host)) {
                vm.fields.put("HOST", String.valueOf(host.id));
                become(vm, fates.isEmpty() ? usual : fates.poll());
                return;
            }
        }
        var said = new Attribute(
                "SCHED_MESSAGE",
                "Sun Nov 22 01:00:00 2026 : Cannot dispatch VM: No hosts enabled to run VMs",
                new TreeMap<>());
        vm.userTemplate = StandInThing.merged(vm.userTemplate, List.of(said));
    }

    private static boolean cards(StandInThing vm, StandInThing host) {
        var wanted = StandInThing.vectors(vm.template, "PCI");
        var chosen = new ArrayList<Map<String, String>>();
        for (var pci : wanted) {
            var found = StandInThing.vectors(host.template, "PCI").stream()
                    .filter(card -> card.getOrDefault("VMID", "").equals("-1")
                            && !chosen.contains(card)
                            && card.entrySet().containsAll(pci.entrySet()))
                    .findFirst();
            if (found.isEmpty()) {
                return false;
            }
            chosen.add(found.get());
        }
        chosen.forEach(card -> card.put("VMID", String.valueOf(vm.id)));
        return true;
    }

    void become(StandInThing vm, List<String> states) {
        vm.next.clear();
        vm.next.addAll(states.subList(1, states.size()));
        become(vm, states.getFirst());
    }

    private void become(StandInThing vm, String state) {
        if (state.equals(GONE)) {
            cloud.all("vm").remove(vm.id);
            cloud.all("host").values().stream()
                    .flatMap(host -> StandInThing.vectors(host.template, "PCI").stream())
                    .filter(card -> card.getOrDefault("VMID", "").equals(String.valueOf(vm.id)))
                    .forEach(card -> card.put("VMID", "-1"));
            return;
        }
        var numbers = state.split("/");
        vm.fields.put("STATE", numbers[0]);
        vm.fields.put("LCM_STATE", numbers[1]);
        if (state(vm).hasFailed()) {
            var why = new Attribute(
                    "ERROR",
                    "Sun Nov 22 01:00:00 2026 : Error booting VM: Could not create domain from /var/lib/one/vms/"
                            + vm.id + "/deployment.0",
                    new TreeMap<>());
            vm.userTemplate = StandInThing.merged(vm.userTemplate, List.of(why));
        }
    }

    private int act(String action, StandInThing vm) {
        switch (action) {
            case "terminate", "terminate-hard" ->
                become(vm, state(vm).isPending() ? List.of(GONE) : List.of("3/11", GONE));
            case "poweroff", "poweroff-hard" -> {
                if (!state(vm).isRunning()) {
                    throw new No(StandInCloud.WRONG_STATE, "This action is not available for state " + words(vm));
                }
                become(vm, List.of("3/18", "8/0"));
            }
            case "resume" -> {
                if (!state(vm).rests()) {
                    throw new No(StandInCloud.WRONG_STATE, "This action is not available for state " + words(vm));
                }
                become(vm, List.of("3/20", "3/3"));
            }
            default -> throw new No(0x1000, "Wrong action " + action);
        }
        return vm.id;
    }

    private int resize(StandInThing vm, List<Attribute> capacity) {
        if (vm.number("STATE") != Life.POWEROFF) {
            throw new No(StandInCloud.WRONG_STATE, "Resize is not available for state " + words(vm));
        }
        vm.template = StandInThing.merged(vm.template, capacity);
        return vm.id;
    }

    private int schedule(StandInThing vm, int id, List<Attribute> actions) {
        if (id >= 0) {
            unschedule(vm, id);
        }
        var fresh = numbered(vm, actions.getFirst());
        if (id >= 0) {
            fresh.vector().put("ID", String.valueOf(id));
        }
        vm.template.add(fresh);
        return Integer.parseInt(fresh.vector().getOrDefault("ID", "0"));
    }

    private static void unschedule(StandInThing vm, int id) {
        if (!vm.template.removeIf(attribute -> attribute.name().equals(SCHEDULED)
                && attribute.vector().getOrDefault("ID", "").equals(String.valueOf(id)))) {
            throw new No(StandInCloud.NOT_THERE, "Scheduled action does not exist");
        }
    }
}
