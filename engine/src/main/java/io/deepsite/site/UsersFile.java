package io.deepsite.site;

import java.util.Map;

/** The users that a file beside site.yaml has, where {@code usersFrom} names one. */
public record UsersFile(
        @Key("People with an account on every machine, by login name, as under users of site.yaml.")
        Map<Name, User> users) {
    public UsersFile {
        users = Ordered.copy(users);
    }
}
