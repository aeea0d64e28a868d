package io.deepsite.remote;

import java.nio.file.Path;

/**
 * How one host is reached.
 *
 * @param name the machine's name, for people
 * @param address what SSH connects to
 * @param user root, or a user who may use sudo without a password
 * @param hostKey the only key that the host may show
 * @param privateKey the file of the login's private key
 */
public record SshTarget(String name, String address, int port, String user, HostKey hostKey, Path privateKey) {

    public boolean root() {
        return user.equals("root");
    }

    /** {@code node-1 (admin@10.77.0.11:22)}. */
    @Override
    public String toString() {
        var host = address.contains(":") ? "[" + address + "]" : address;
        return name + " (" + user + "@" + host + ":" + port + ")";
    }
}
