package io.deepsite.remote;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * How one host is reached.
 *
 * @param name the machine's name, for people
 * @param address what SSH connects to
 * @param user root, or a user who may use sudo without a password
 * @param hostKey the only key that the host may show
 * @param privateKey the file of the login's private key
 * @param via the host that passes the connection on, with its own key and its own login; it may need another in turn
 */
public record SshTarget(
        String name, String address, int port, String user, HostKey hostKey, Path privateKey, Optional<SshTarget> via) {

    /** One that is reached directly. */
    public SshTarget(String name, String address, int port, String user, HostKey hostKey, Path privateKey) {
        this(name, address, port, user, hostKey, privateKey, Optional.empty());
    }

    /** The hosts in between, in the order of the way there; empty for a direct connection. */
    public List<SshTarget> hops() {
        var hops = new ArrayList<SshTarget>();
        for (var hop = via; hop.isPresent(); hop = hop.get().via()) {
            hops.add(hop.get());
        }
        Collections.reverse(hops);
        return List.copyOf(hops);
    }

    public boolean root() {
        return user.equals("root");
    }

    /** {@code admin@10.77.0.11:22}. */
    String login() {
        var host = address.contains(":") ? "[" + address + "]" : address;
        return user + "@" + host + ":" + port;
    }

    /** {@code node-1 (admin@10.77.0.11:22)}. */
    @Override
    public String toString() {
        return name + " (" + login() + via.map(hop -> " through " + hop.name()).orElse("") + ")";
    }
}
