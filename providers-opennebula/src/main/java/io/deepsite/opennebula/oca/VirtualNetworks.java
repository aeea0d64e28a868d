package io.deepsite.opennebula.oca;

import java.util.List;

/** Virtual networks and their address ranges. */
public final class VirtualNetworks {
    /** OpenNebula's default cluster. */
    private static final int DEFAULT_CLUSTER = -1;

    private static final int MERGE = 1;

    private final Client client;

    public VirtualNetworks(Client client) {
        this.client = client;
    }

    /** Does not include leases. */
    public List<Element> all() {
        return client.document("one.vnpool.info", Client.ALL, Client.WHOLE_RANGE, Client.WHOLE_RANGE)
                .all("VNET");
    }

    /** Includes the leases of each address range. */
    public Element info(int id) {
        return client.document("one.vn.info", id);
    }

    public int allocate(Template template) {
        return client.id("one.vn.allocate", template.toString(), DEFAULT_CLUSTER);
    }

    public void merge(int id, Template template) {
        client.id("one.vn.update", id, template.toString(), MERGE);
    }

    public void delete(int id) {
        client.id("one.vn.delete", id);
    }
}
