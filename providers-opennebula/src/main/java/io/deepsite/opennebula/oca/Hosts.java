package io.deepsite.opennebula.oca;

import java.util.List;

/** Hosts and clusters of hosts. An ordinary user often sees no hosts. */
public final class Hosts {
    private final Client client;

    public Hosts(Client client) {
        this.client = client;
    }

    public List<Element> all() {
        return client.document("one.hostpool.info").all("HOST");
    }

    public List<Element> clusters() {
        return client.document("one.clusterpool.info").all("CLUSTER");
    }
}
