package io.deepsite.remote;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How one host is reached.
 *
 * @param name the machine's name, for people
 * @param address what SSH connects to
 * @param user root, or a user who may use sudo without a password
 * @param hostKey the key that the host shows
 * @param privateKey the file of the login's private key
 * @param via the host that passes the connection on, with its own key and its own login; it may need another in turn
 * @param otherKey while a host changes its key, the one that it may show as well; no third one is ever accepted
 */
public record SshTarget(
        String name,
        String address,
        int port,
        String user,
        HostKey hostKey,
        Path privateKey,
        Optional<SshTarget> via,
        Optional<HostKey> otherKey) {

    /** One whose key stays as it is. */
    public SshTarget(
            String name,
            String address,
            int port,
            String user,
            HostKey hostKey,
            Path privateKey,
            Optional<SshTarget> via) {
        this(name, address, port, user, hostKey, privateKey, via, Optional.empty());
    }

    /** One that is reached directly. */
    public SshTarget(String name, String address, int port, String user, HostKey hostKey, Path privateKey) {
        this(name, address, port, user, hostKey, privateKey, Optional.empty());
    }

    /** The keys that it may show: one, or two while it changes its key. */
    public List<HostKey> hostKeys() {
        return Stream.concat(Stream.of(hostKey), otherKey.stream()).toList();
    }

    /** The same host, which has to show this key and no other. */
    public SshTarget showing(HostKey only) {
        return new SshTarget(name, address, port, user, only, privateKey, via, Optional.empty());
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
