package io.deepsite.service.access;

import java.util.Locale;

/** What somebody may do in a project; each includes those before it. */
public enum Role {
    USER,
    MANAGER,
    ADMINISTRATOR;

    public boolean includes(Role other) {
        return compareTo(other) >= 0;
    }

    /** As messages and the API name it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
