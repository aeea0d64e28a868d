package io.deepsite.opennebula.oca;

import java.util.List;

/** VM templates, and the apps of marketplaces. */
public final class Templates {
    private final Client client;

    public Templates(Client client) {
        this.client = client;
    }

    public List<Element> all() {
        return client.document("one.templatepool.info", Client.ALL, Client.WHOLE_RANGE, Client.WHOLE_RANGE)
                .all("VMTEMPLATE");
    }

    public List<Element> apps() {
        return client.document("one.marketapppool.info", Client.ALL, Client.WHOLE_RANGE, Client.WHOLE_RANGE)
                .all("MARKETPLACEAPP");
    }

    /** Attributes of {@code extra} replace those of the template of the same name. */
    public int instantiate(int template, String name, Template extra) {
        return client.id("one.template.instantiate", template, name, false, extra.toString(), false);
    }
}
