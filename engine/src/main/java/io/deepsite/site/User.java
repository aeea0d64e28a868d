package io.deepsite.site;

import java.util.List;
import java.util.Optional;

/** A person with the same account on every machine. There are no passwords. */
public record User(
        @Key(
                value = "Fixed numeric id, the same on every machine.",
                example = "2001",
                blast = Blast.FILE,
                min = 1000,
                max = 59_999)
        int uid,

        @Key(value = "Further groups, made when missing.", example = "[physics]", blast = Blast.FILE)
        List<Name> groups,

        @Key(value = "SSH public keys that may log in.", blast = Blast.FILE)
        List<String> keys,

        @Key(value = "Login shell.", defaultValue = "/bin/bash", blast = Blast.FILE)
        String shell,

        @Key(value = "Full name.", example = "Alice Example", blast = Blast.FILE)
        Optional<String> name) {

    public User {
        groups = List.copyOf(groups);
        keys = List.copyOf(keys);
    }
}
