package io.deepsite.opennebula.oca;

/** The front-end itself, the user who calls, and the groups. */
public final class Accounts {
    /** Of the user who calls. */
    private static final int MYSELF = -1;

    private final Client client;

    public Accounts(Client client) {
        this.client = client;
    }

    public OneVersion version() {
        var text = client.text("one.system.version");
        try {
            return OneVersion.parse(text);
        } catch (IllegalArgumentException e) {
            throw new OneException.Garbled("one.system.version", "it calls \"" + text + "\" its version", e);
        }
    }

    /** With quotas, and those that users have by default. */
    public Element myself() {
        return client.document("one.user.info", MYSELF);
    }

    public Element group(int id) {
        return client.document("one.group.info", id);
    }
}
