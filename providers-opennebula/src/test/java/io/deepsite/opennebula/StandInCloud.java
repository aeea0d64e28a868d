package io.deepsite.opennebula;

import io.deepsite.opennebula.StandInCalls.Call;
import io.deepsite.opennebula.StandInThing.Attribute;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** The objects of the stand-in, and the effect of calls. Stores every change before it answers. */
final class StandInCloud {
    static final int NO_RIGHT = 0x0200;
    static final int NOT_THERE = 0x0400;
    static final int WRONG_STATE = 0x0800;
    static final int INTERNAL = 0x2000;
    static final int NOT_MADE = 0x4000;

    /** The id of the user whom it serves. */
    static final String USER = "2";

    /** All objects, by kind. */
    private static final class State implements Serializable {
        private static final long serialVersionUID = 1;
        final TreeMap<String, TreeMap<Integer, StandInThing>> things = new TreeMap<>();
        int nextId = 10;
    }

    /** A refusal in oned's format: {@code [false, message, code]}. */
    static final class No extends RuntimeException {
        private static final long serialVersionUID = 1;
        final int code;

        No(int code, String message) {
            super(message);
            this.code = code;
        }
    }

    private final String version;
    private final Path file;
    private final State state;
    private final StandInVms vms = new StandInVms(this);
    private final StandInNetworks networks = new StandInNetworks(this);
    private final StandInImages images = new StandInImages(this);
    /** Refusals by method, each used once. */
    private final Map<String, No> refusals = new ConcurrentHashMap<>();

    /** Methods that this user has no right to. */
    private final Set<String> forbidden = ConcurrentHashMap.newKeySet();

    private String user = "<USER><ID>" + USER + "</ID><GID>100</GID><NAME>alice</NAME></USER>";
    private String group = "<GROUP><ID>100</ID><NAME>physics</NAME></GROUP>";

    private StandInCloud(String version, Path file, State state) {
        this.version = version;
        this.file = file;
        this.state = state;
    }

    static StandInCloud open(String version, Path file) {
        if (Files.exists(file)) {
            try (var in = new ObjectInputStream(Files.newInputStream(file))) {
                return new StandInCloud(version, file, (State) in.readObject());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }
        var fresh = new StandInCloud(version, file, new State());
        fresh.furnish();
        return fresh;
    }

    /** Objects that an administrator made before the test. */
    private void furnish() {
        var debian = add("image", "debian-12");
        debian.fields.put("UID", "0");
        debian.fields.put("STATE", "1");
        debian.fields.put("SIZE", "2048");
        var datastore = add("datastore", "default");
        debian.fields.put("DATASTORE_ID", String.valueOf(datastore.id));
        datastore.fields.put("TYPE", "0");
        datastore.fields.put("TOTAL_MB", "100000");
        datastore.fields.put("FREE_MB", "50000");
        datastore.template.addAll(StandInThing.parse(
                "<TEMPLATE><RESTRICTED_DIRS>/</RESTRICTED_DIRS><SAFE_DIRS>/var/tmp</SAFE_DIRS></TEMPLATE>"));
        targets(datastore, "SYSTEM", "NONE");
        // Kinds share ids here, not in OpenNebula: its first cluster has number 0, and messages hold the numbers after
        // it.
        state.nextId++;
        all("cluster").put(StandInNetworks.FIRST_CLUSTER, new StandInThing(StandInNetworks.FIRST_CLUSTER, "default"));
        host("kvm-1", 1600, 65_536);
        network("lab-net", "192.0.2.10", 40);
        var app = add("app", "Debian 12");
        app.fields.put("TYPE", "1");
        var service = add("app", "OneFlow Thing");
        service.fields.put("TYPE", "3");
    }

    void network(String name, String first, int addresses) {
        add("network", name)
                .template
                .addAll(StandInThing.parse("<TEMPLATE><AR><TYPE>IP4</TYPE><IP>" + first + "</IP><SIZE>" + addresses
                        + "</SIZE></AR><SECURITY_GROUPS>0</SECURITY_GROUPS></TEMPLATE>"));
    }

    StandInThing host(String name, int cpuHundredths, int mebibytes) {
        var host = add("host", name);
        host.fields.put("STATE", "2");
        host.fields.put(
                "CLUSTER_ID", String.valueOf(all("cluster").keySet().iterator().next()));
        host.fields.put("MAX_CPU", String.valueOf(cpuHundredths));
        host.fields.put("MAX_MEM", String.valueOf(mebibytes * 1024L));
        return host;
    }

    /** @param spec such as {@code 10de 20b5 0302 A100_PCIe 17:00.0} */
    void card(StandInThing host, String spec) {
        var words = spec.split(" ");
        var vector = new TreeMap<>(Map.of(
                "VENDOR", words[0], "DEVICE", words[1], "CLASS", words[2], "DEVICE_NAME", words[3].replace('_', ' ')));
        vector.put("SHORT_ADDRESS", words[4]);
        vector.put("VMID", "-1");
        host.template.add(new Attribute("PCI", "", vector));
    }

    String version() {
        return version;
    }

    StandInVms vms() {
        return vms;
    }

    StandInNetworks networks() {
        return networks;
    }

    StandInImages images() {
        return images;
    }

    synchronized StandInThing add(String kind, String name) {
        var thing = new StandInThing(state.nextId++, name);
        all(kind).put(thing.id, thing);
        return thing;
    }

    List<String> things() {
        return state.things.entrySet().stream()
                .flatMap(kind -> kind.getValue().values().stream().map(thing -> kind.getKey() + " " + thing.name))
                .toList();
    }

    TreeMap<Integer, StandInThing> all(String kind) {
        return state.things.computeIfAbsent(kind, _ -> new TreeMap<>());
    }

    StandInThing named(String kind, String name) {
        return all(kind).values().stream()
                .filter(thing -> thing.name.equals(name))
                .findFirst()
                .orElseThrow();
    }

    StandInThing get(String kind, int id) {
        var thing = all(kind).get(id);
        if (thing == null) {
            throw new No(NOT_THERE, "[" + kind + "] Error getting " + kind + " [" + id + "].");
        }
        return thing;
    }

    void refuse(String method, int code, String message) {
        refusals.put(method, new No(code, message));
    }

    void forbid(String... methods) {
        forbidden.addAll(List.of(methods));
    }

    /** Where the disks of machines are, as TM_MAD_CONF of oned.conf says: SYSTEM, SELF or NONE. */
    void targets(StandInThing datastore, String clone, String link) {
        datastore.template.removeIf(attribute -> attribute.name().endsWith("_TARGET"));
        datastore.template.add(new Attribute("CLONE_TARGET", clone, new TreeMap<>()));
        datastore.template.add(new Attribute("LN_TARGET", link, new TreeMap<>()));
    }

    synchronized void quotas(String ofUser, String ofGroup) {
        user = user.replace("</USER>", ofUser + "</USER>");
        group = group.replace("</GROUP>", ofGroup + "</GROUP>");
    }

    synchronized List<Object> run(Call call) {
        try {
            if (!call.session().equals(StandIn.SESSION)) {
                throw new No(0x0100, "[" + call.method() + "] User couldn't be authenticated, aborting call.");
            }
            if (forbidden.contains(call.method())) {
                throw new No(NO_RIGHT, "[" + call.method() + "] User [2] : Not authorized to perform this.");
            }
            var refusal = refusals.remove(call.method());
            if (refusal != null) {
                throw refusal;
            }
            var value = dispatch(call);
            // Each list of machines advances their states.
            if (!call.method().endsWith("info") || call.method().startsWith("one.vmpool")) {
                write();
            }
            return List.of(true, value, 0);
        } catch (No no) {
            // Source: OpenNebula/one, release-6.10.0 and release-7.0.2, src/rm/Request.cc, Request::failure_response:
            // the object's id, then the replication index as xmlrpc_c::value_i8. Recorded from oned 6.10.0,
            // one.vm.info 999: "<i4>1024</i4>", "<i4>999</i4>", "<i8>-1</i8>".
            return List.of(false, String.valueOf(no.getMessage()), no.code, -1, -1L);
        }
    }

    void write() {
        try {
            var fresh = file.resolveSibling(file.getFileName() + ".new");
            try (var out = new ObjectOutputStream(new BufferedOutputStream(Files.newOutputStream(fresh)))) {
                out.writeObject(state);
            }
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Object dispatch(Call call) {
        return switch (call.method()) {
            case "one.system.version" -> version;
            case "one.user.info" -> user;
            case "one.group.info" -> group;
            case "one.hostpool.info" -> pool("HOST_POOL", "HOST", "host");
            case "one.clusterpool.info" -> pool("CLUSTER_POOL", "CLUSTER", "cluster");
            case "one.datastorepool.info" -> pool("DATASTORE_POOL", "DATASTORE", "datastore");
            case "one.marketapppool.info" -> pool("MARKETPLACEAPP_POOL", "MARKETPLACEAPP", "app");
            case "one.templatepool.info" -> pool("VMTEMPLATE_POOL", "VMTEMPLATE", "template");
            case "one.secgrouppool.info" -> pool("SECURITY_GROUP_POOL", "SECURITY_GROUP", "secgroup");
            case "one.secgroup.allocate" -> made("secgroup", call.text(0), Map.of());
            case "one.secgroup.update" -> update("secgroup", call);
            case "one.secgroup.delete" -> delete("secgroup", call.number(0));
            default ->
                call.method().startsWith("one.image")
                        ? images.dispatch(call)
                        : call.method().startsWith("one.vn") ? networks.dispatch(call) : vms.dispatch(call);
        };
    }

    String pool(String root, String element, String kind) {
        var text = new StringBuilder("<" + root + ">");
        // Newest first: API_LIST_ORDER of oned.conf; seen with oned 6.10.0, one.datastorepool.info.
        all(kind).descendingMap().values().forEach(thing -> text.append(xml(element, thing)));
        return text.append("</" + root + ">").toString();
    }

    private String xml(String element, StandInThing thing) {
        return switch (element) {
            case "HOST" -> host(thing);
            case "VNET" -> networks.xml(thing, false);
            default -> thing.whole(element, StandInThing.xml("TEMPLATE", thing.template));
        };
    }

    private String host(StandInThing host) {
        var cards = new ArrayList<Attribute>();
        host.template.stream()
                .filter(attribute -> attribute.name().equals("PCI"))
                .forEach(cards::add);
        var share = "<MAX_CPU>" + host.field("MAX_CPU") + "</MAX_CPU><CPU_USAGE>" + vms.usedCpu(host.id)
                + "</CPU_USAGE><MAX_MEM>" + host.field("MAX_MEM") + "</MAX_MEM><MEM_USAGE>"
                + vms.usedMemory(host.id) * 1024L + "</MEM_USAGE>" + StandInThing.xml("PCI_DEVICES", cards);
        return host.whole("HOST", "<HOST_SHARE>" + share + "</HOST_SHARE>");
    }

    int made(String kind, String template, Map<String, String> fields) {
        var attributes = StandInThing.parse(template);
        var name = StandInThing.text(attributes, "NAME").orElse("");
        if (name.isEmpty()) {
            throw new No(INTERNAL, "No NAME in template.");
        }
        if (all(kind).values().stream().anyMatch(thing -> thing.name.equals(name))) {
            throw new No(INTERNAL, "NAME is already taken by " + kind + ".");
        }
        StandInThing.text(attributes, "SECURITY_GROUPS").ifPresent(group -> get("secgroup", Integer.parseInt(group)));
        var thing = add(kind, name);
        attributes.removeIf(attribute -> attribute.name().equals("NAME"));
        // Seen with oned 6.10.0: one.vn.allocate adds group 0 to those asked for, one.vn.update does not.
        attributes.replaceAll(attribute -> attribute.name().equals("SECURITY_GROUPS")
                ? new Attribute(attribute.name(), "0," + attribute.text(), new TreeMap<>())
                : attribute);
        thing.template = attributes;
        thing.fields.putAll(fields);
        return thing.id;
    }

    int update(String kind, Call call) {
        var thing = get(kind, call.number(0));
        var fresh = StandInThing.parse(call.text(1));
        thing.template = call.number(2) == 1 ? StandInThing.merged(thing.template, fresh) : fresh;
        return thing.id;
    }

    int delete(String kind, int id) {
        refuseInUse(kind, id);
        all(kind).remove(id);
        return id;
    }

    void refuseInUse(String kind, int id) {
        get(kind, id);
        var users = new TreeSet<String>();
        all("vm").values().stream().filter(vm -> vms.uses(vm, kind, id)).forEach(vm -> users.add(vm.name));
        all("network").values().stream()
                .filter(network -> kind.equals("secgroup")
                        && List.of(StandInThing.text(network.template, "SECURITY_GROUPS")
                                        .orElse("")
                                        .split(","))
                                .contains(String.valueOf(id)))
                .forEach(network -> users.add(network.name));
        if (!users.isEmpty()) {
            throw new No(WRONG_STATE, "[" + kind + "] Cannot delete it: used by " + String.join(", ", users) + ".");
        }
    }
}
