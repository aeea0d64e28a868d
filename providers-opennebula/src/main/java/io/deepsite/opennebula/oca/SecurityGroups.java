package io.deepsite.opennebula.oca;

import java.util.List;

/** Security groups; OpenNebula applies a change to the machines itself. */
public final class SecurityGroups {
    private static final int REPLACE = 0;

    private final Client client;

    public SecurityGroups(Client client) {
        this.client = client;
    }

    public List<Element> all() {
        return client.document("one.secgrouppool.info", Client.ALL, Client.WHOLE_RANGE, Client.WHOLE_RANGE)
                .all("SECURITY_GROUP");
    }

    public int allocate(Template template) {
        return client.id("one.secgroup.allocate", template.toString());
    }

    public void replace(int id, Template template) {
        client.id("one.secgroup.update", id, template.toString(), REPLACE);
    }

    public void delete(int id) {
        client.id("one.secgroup.delete", id);
    }
}
