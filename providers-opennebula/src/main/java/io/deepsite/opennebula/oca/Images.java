package io.deepsite.opennebula.oca;

import java.util.List;

/** Images, and their datastores. */
public final class Images {
    private static final int MERGE = 1;

    private final Client client;

    public Images(Client client) {
        this.client = client;
    }

    public List<Element> all() {
        return client.document("one.imagepool.info", Client.ALL, Client.WHOLE_RANGE, Client.WHOLE_RANGE)
                .all("IMAGE");
    }

    public List<Element> datastores() {
        return client.document("one.datastorepool.info").all("DATASTORE");
    }

    public int allocate(Template template, int datastore) {
        return client.id("one.image.allocate", template.toString(), datastore);
    }

    public void merge(int id, Template template) {
        client.id("one.image.update", id, template.toString(), MERGE);
    }

    /** From now on, machines get copies of it. */
    public void share(int id) {
        client.id("one.image.persistent", id, false);
    }

    public void delete(int id) {
        client.id("one.image.delete", id);
    }
}
