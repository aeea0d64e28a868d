package io.deepsite.plan;

import io.deepsite.contract.Action;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;

/** What needs naming ({@code --allow reboot,replace}) or a yes at the prompt; {@code --yes} never implies it. */
public enum Consent {
    REBOOT("restarts machines that run"),
    REPLACE("makes machines anew; what is on their own disks is lost"),
    WIPE("deletes machines or volumes with their data"),
    DRAIN("takes nodes out of service"),
    REMOVE_PACKAGES("removes packages that a role installed");

    private final String meaning;

    /** What running or undoing these actions needs. */
    static SortedSet<Consent> of(List<Action> actions) {
        var consents = new TreeSet<Consent>();
        for (var action : actions) {
            switch (action.blast()) {
                case NOTHING, RESTART -> {}
                case DRAIN -> consents.add(DRAIN);
                case WIPE -> consents.add(WIPE);
                case REBOOT -> consents.add(REBOOT);
            }
        }
        return consents;
    }

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
