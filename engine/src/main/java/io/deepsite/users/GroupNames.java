package io.deepsite.users;

import io.deepsite.site.Name;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Groups of a site, from what sources call them: {@code /wlcg/pilots} of WLCG's token profile 1.0 and entitlements of
 * AARC-G069, {@code urn:geant:example.org:group:physics:atlas:role=member#idp.example.org}, become {@code wlcg-pilots}
 * and {@code physics-atlas}.
 */
final class GroupNames {
    private static final String GROUP = ":group:";
    private static final String ROLE = "role=";
    private static final String MEMBER = "role=member";

    private GroupNames() {}

    /** Empty for what is no membership of a group, or cannot be a name on a host. */
    static Optional<Name> of(String text) {
        var path = text.regionMatches(true, 0, "urn:", 0, 4) ? entitlement(text) : Optional.of(text);
        return path.map(GroupNames::word)
                .filter(word -> word.matches(Name.PATTERN))
                .map(Name::new);
    }

    /** Another role than member says what somebody may do in a group, not that the group is theirs. */
    private static Optional<String> entitlement(String text) {
        int group = text.indexOf(GROUP);
        if (group < 0) {
            return Optional.empty();
        }
        int authority = text.lastIndexOf('#');
        var parts = text.substring(group + GROUP.length(), authority < group ? text.length() : authority)
                .split(":");
        if (Arrays.stream(parts).anyMatch(part -> part.startsWith(ROLE) && !part.equals(MEMBER))) {
            return Optional.empty();
        }
        try {
            return Optional.of(Arrays.stream(parts)
                    .filter(part -> !part.startsWith(ROLE))
                    .map(part -> URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8))
                    .collect(Collectors.joining("-")));
        } catch (IllegalArgumentException _) {
            return Optional.empty();
        }
    }

    private static String word(String path) {
        return path.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    }
}
