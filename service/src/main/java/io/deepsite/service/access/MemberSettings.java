package io.deepsite.service.access;

import io.deepsite.site.Key;
import java.util.List;

/** Who belongs to a project. */
public record MemberSettings(
        @Key(
                value = "Groups whose members order sites in the project: values of the groups claim, as they are.",
                example = "[\"urn:geant:example.org:group:lab#iam.example.org\"]",
                pattern = GROUP)
        List<String> users,

        @Key(
                value = "Groups whose members also manage the sites of others in it.",
                example = "[/lab/managers]",
                pattern = GROUP)
        List<String> managers) {
    /** Also a path or a URN; as identity providers write them. */
    public static final String GROUP = "\\S(.*\\S)?";

    public MemberSettings {
        users = List.copyOf(users);
        managers = List.copyOf(managers);
    }
}
