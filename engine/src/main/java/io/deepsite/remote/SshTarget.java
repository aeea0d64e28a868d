package io.deepsite.remote;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How to reach one host.
 *
 * @param name the machine's name, for people
 * @param address what SSH connects to
 * @param user root, or a user with passwordless sudo
 * @param hostKey the key of the host
 * @param privateKey the login's private key file
 * @param via the jump host, with its own key and its own login; it may need another in turn
 * @param otherKey a second accepted key, while a host changes its key; a third one is never accepted
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

    /** Without a change of keys. */
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

    /** Without a jump host. */
    public SshTarget(String name, String address, int port, String user, HostKey hostKey, Path privateKey) {
        this(name, address, port, user, hostKey, privateKey, Optional.empty());
    }

    /** The accepted keys: one, or two while the host changes its key. */
    public List<HostKey> hostKeys() {
        return Stream.concat(Stream.of(hostKey), otherKey.stream()).toList();
    }

    /** The same host, accepting only this key. */
    public SshTarget showing(HostKey only) {
        return new SshTarget(name, address, port, user, only, privateKey, via, Optional.empty());
    }

    /** The jump hosts, in the order of the route; empty for a direct connection. */
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
