package io.deepsite.site;

import java.util.List;
import java.util.Optional;

/** A person with the same account on every machine. There are no passwords. */
public record User(
        @Key(
                value = "Fixed numeric id, the same on every machine.",
                example = "2001",
                impact = ChangeImpact.FILE,
                min = User.FIRST_UID,
                max = User.LAST_UID,
                distinct = true)
        int uid,

        @Key(value = "Further groups, made when missing.", example = "[physics]", impact = ChangeImpact.FILE)
        List<Name> groups,

        @Key(
                value = "SSH public keys that may log in.",
                example = "[\"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI… alice@laptop\"]",
                impact = ChangeImpact.FILE,
                confined = true)
        List<String> keys,

        @Key(
                value = "Login shell, a full path.",
                defaultValue = "/bin/bash",
                pattern = "/[A-Za-z0-9/._-]+",
                impact = ChangeImpact.FILE,
                confined = true)
        String shell,

        @Key(
                value = "Full name, without colon and comma.",
                example = "Alice Example",
                pattern = "[^:,]{1,120}",
                impact = ChangeImpact.FILE,
                confined = true)
        Optional<String> name,

        @Key(
                value = "No login any more, by key or certificate; account, uid and files stay, and what runs goes on.",
                defaultValue = "false",
                impact = ChangeImpact.FILE)
        boolean locked) {

    /** Those below are the system's own; from 60000 on are those of programs. */
    public static final int FIRST_UID = 1000;

    public static final int LAST_UID = 59_998;

    /** Groups of site.yaml get gids from here on; a container may not support ids above 65,535. */
    public static final int FIRST_GROUP_GID = 50_000;

    public User {
        groups = List.copyOf(groups);
        // A blank at its end is no part of a key: the host holds it without, and would differ for ever.
        keys = keys.stream().map(String::strip).distinct().toList();
    }
}
