package io.deepsite.statics;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Where;
import io.deepsite.provider.DeclaredSize;
import io.deepsite.provider.Machine;
import io.deepsite.remote.TrustedHosts;
import io.deepsite.site.GpuRequest;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.site.Size;
import io.deepsite.site.SshAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Makes a machine from one host and its variables, and collects their faults. */
final class HostReader {
    static final String HOST_KEY = "deepsite_host_key";
    private static final String CPUS = "deepsite_cpus";
    private static final String MEMORY = "deepsite_memory";
    private static final String CONTAINER = "deepsite_container";

    private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9:][A-Za-z0-9.:%_-]{0,254}");
    private static final Pattern USER = Pattern.compile("[a-z_][a-z0-9_.-]{0,31}");
    private static final Pattern KEY = Pattern.compile("[a-z0-9@.-]+ [A-Za-z0-9+/]+={0,2}( .*)?");
    private static final int LAST_PORT = 65_535;

    /** Variables for logins that deepsite does not support; silently ignoring them would be a surprise. */
    private static final List<String> NOT_USED = List.of(
            "ansible_ssh_common_args",
            "ansible_ssh_extra_args",
            "ansible_ssh_args",
            "ansible_ssh_private_key_file",
            "ansible_private_key_file",
            "ansible_password",
            "ansible_ssh_pass",
            "ansible_ssh_password",
            "ansible_become_password",
            "ansible_become_pass");

    private final String host;
    private final Inventory inventory;
    private final TrustedHosts knownHosts;
    private final SshAccess ssh;
    private final Where where;
    private final List<Diagnostic> faults = new ArrayList<>();

    HostReader(String host, Inventory inventory, TrustedHosts knownHosts, SshAccess ssh, Where where) {
        this.host = host;
        this.inventory = inventory;
        this.knownHosts = knownHosts;
        this.ssh = ssh;
        this.where = where;
    }

    List<Diagnostic> faults() {
        return faults;
    }

    Machine machine(Name group, MachineGroup described) {
        if (!NAME.matcher(host).matches()) {
            fault(
                    Code.HOST_NAME,
                    "\"" + shown(host) + "\" is not a machine name, which has lower case letters, digits and"
                            + " hyphens, and no domain.",
                    "Rename the host, and put its address into ansible_host.");
        }
        for (String variable : inventory.given(host, NOT_USED)) {
            fault(
                    Code.HOST_VARIABLE,
                    host + " has " + variable + ". deepsite logs in directly, with the key of ssh.key in site.yaml.",
                    "Remove the variable.");
        }
        String connection = variable("ansible_connection").orElse("ssh");
        if (!List.of("ssh", "smart", "paramiko", "paramiko_ssh").contains(connection)) {
            fault(
                    Code.HOST_VARIABLE,
                    host + " has ansible_connection " + shown(connection) + ".",
                    "Use ssh, or remove the variable.");
        }
        String address =
                checked("ansible_host", ADDRESS, "an address or a name").orElse(host);
        String user = checked("ansible_user", USER, "a login name").orElse(ssh.user());
        int port = port();
        return new Machine(
                host,
                group,
                Optional.empty(),
                "static",
                new Machine.Specs(
                        described.cpus(), described.memory().mebibytes(), false, gpus(group, described.gpus())),
                new Machine.Ssh(Optional.of(address), port, user, hostKey(address, port)));
    }

    /** Empty unless both processors and memory are declared. */
    Optional<DeclaredSize> size() {
        var cpus = checked(CPUS, Pattern.compile("[1-9][0-9]{0,5}"), "a number of processors");
        var memory = checked(MEMORY, Pattern.compile("[1-9][0-9]{0,5}(MiB|GiB|TiB)"), "a size such as 250GiB");
        boolean container = checked(CONTAINER, Pattern.compile("(?i)true|false"), "true or false")
                .map(Boolean::parseBoolean)
                .orElse(false);
        return cpus.flatMap(count -> memory.map(size ->
                new DeclaredSize(Integer.parseInt(count), Size.parse(size).mebibytes(), container)));
    }

    private int port() {
        String text =
                checked("ansible_port", Pattern.compile("[0-9]{1,5}"), "a port").orElse(Integer.toString(ssh.port()));
        int port = Integer.parseInt(text);
        if (port < 1 || port > LAST_PORT) {
            fault(
                    Code.HOST_VARIABLE,
                    host + " has ansible_port " + port + ", which is not a port.",
                    "Use a number from 1 to 65535.");
        }
        return port;
    }

    private Optional<String> hostKey(String address, int port) {
        var given = variable(HOST_KEY);
        if (given.isPresent()) {
            if (KEY.matcher(given.get()).matches()) {
                return given;
            }
            fault(
                    Code.HOST_VARIABLE,
                    "The " + HOST_KEY + " of " + host + " is not a public key.",
                    "Copy the line of its /etc/ssh/ssh_host_ed25519_key.pub.");
            return Optional.empty();
        }
        var known = knownHosts.key(address, port);
        if (known.isEmpty()) {
            faults.add(Diagnostic.error(
                    Code.HOST_KEY_UNKNOWN,
                    where,
                    host + " has no " + HOST_KEY + " in the inventory, and its address " + shown(address)
                            + " is not in your known_hosts, so nothing proves that it is the right machine.",
                    "Log in once and compare the fingerprint with the one on its console:",
                    "ssh -p " + port + " " + shown(address)));
        }
        return known;
    }

    /** The cards that the host must have, with their device paths; the host probe checks them. */
    private List<Machine.Gpu> gpus(Name group, List<GpuRequest> requests) {
        var gpus = new ArrayList<Machine.Gpu>();
        int nvidia = 0;
        int render = 128;
        for (var request : requests) {
            if (request.vendor().isEmpty()) {
                fault(
                        Code.GPU_VENDOR_NEEDED,
                        "The gpus of " + group + " name no vendor, which deepsite needs to find their devices on "
                                + host + ".",
                        "Add vendor: nvidia, amd or intel.");
                return List.of();
            }
            String vendor = request.vendor().get().value();
            for (int i = 0; i < request.cards(); i++) {
                String device = vendor.equals("nvidia") ? "/dev/nvidia" + nvidia++ : "/dev/dri/renderD" + render++;
                String pci = request.pci().isEmpty() ? "" : request.pci().get(i).value();
                gpus.add(new Machine.Gpu(vendor, request.model().orElse("").toLowerCase(Locale.ROOT), pci, device));
            }
        }
        return gpus;
    }

    private Optional<String> checked(String name, Pattern form, String what) {
        return variable(name).filter(text -> {
            boolean fits = form.matcher(text).matches();
            if (!fits) {
                fault(
                        Code.HOST_VARIABLE,
                        "The " + name + " of " + host + " is \"" + shown(text) + "\", which is not " + what + ".",
                        "");
            }
            return fits;
        });
    }

    /** Ansible evaluates a Jinja expression only while it runs; here it is not a value. */
    private Optional<String> variable(String name) {
        return inventory.variable(host, name).filter(text -> {
            boolean template = text.contains("{{") || text.contains("{%");
            if (template) {
                fault(
                        Code.HOST_VARIABLE,
                        "The " + name + " of " + host
                                + " is a template, which Ansible evaluates only after it reaches the" + " hosts.",
                        "Write the value itself.");
            }
            return !template;
        });
    }

    private void fault(Code code, String why, String fix) {
        faults.add(Diagnostic.error(code, where, why, fix));
    }

    private static String shown(String text) {
        String clean = text.replaceAll("\\p{Cntrl}", "?");
        return clean.length() > 60 ? clean.substring(0, 60) + "…" : clean;
    }
}
