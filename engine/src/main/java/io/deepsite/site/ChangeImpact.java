package io.deepsite.site;

/** What changing a field costs, least first. */
public enum ChangeImpact {
    NOTHING("nothing on a running machine"),
    FILE("files change; services reload them"),
    RESTART("services restart"),
    REBOOT("the machine restarts"),
    REPLACE("the machine is replaced; its own disk is lost");

    private final String meaning;

    ChangeImpact(String meaning) {
        this.meaning = meaning;
    }

    public String meaning() {
        return meaning;
    }
}
