package io.deepsite.service.sites;

import java.util.Locale;

/** Where a site is in its life. */
public enum SiteStatus {
    /** Its plan is being made. */
    PLANNING,
    /** Its plan waits for a yes. */
    PLANNED,
    /** It is to be built: at its time, and when the quota has room. */
    WAITING,
    BUILDING,
    /** It has proved that it works. */
    READY,
    /** A run failed or was cancelled: what is there stays until it is tried again or deleted. */
    FAILED,
    DELETING,
    /** Nothing of it is at the back-end any more. */
    DELETED;

    /** As the API and the tables write it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static SiteStatus of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
