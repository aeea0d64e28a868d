package io.deepsite.plan;

import java.util.Locale;

/** What needs naming ({@code --allow reboot,replace}) or a yes at the prompt; {@code --yes} never implies it. */
public enum Consent {
    REBOOT("restarts machines that run"),
    REPLACE("makes machines anew; what is on their own disks is lost"),
    WIPE("deletes machines or volumes with their data"),
    DRAIN("takes nodes out of service"),
    REMOVE_PACKAGES("removes packages that a role installed");

    private final String meaning;

    Consent(String meaning) {
        this.meaning = meaning;
    }

    public String meaning() {
        return meaning;
    }

    /** As typed after {@code --allow}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
