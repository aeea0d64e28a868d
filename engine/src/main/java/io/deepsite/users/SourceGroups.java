package io.deepsite.users;

import io.deepsite.site.Name;
import io.deepsite.site.SystemNames;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The site's group of each group of a source. Whoever names groups there must not become root here: no group of the
 * system is given, and two groups never become one.
 */
final class SourceGroups {
    private final Set<String> wanted;
    private final Map<String, Name> names = new HashMap<>();
    private final SortedMap<String, String> refused = new TreeMap<>();

    /**
     * @param wanted groups to take, as the source or the site calls them; empty for all
     * @param logins names of users, whose own groups these are
     */
    SourceGroups(List<SourceUser> users, Set<String> wanted, Set<Name> logins) {
        this.wanted = wanted;
        var sources = new TreeMap<Name, Set<String>>();
        users.stream()
                .flatMap(user -> user.groups().stream())
                .distinct()
                .forEach(text -> GroupNames.of(text)
                        .filter(name -> isWanted(text, name))
                        .ifPresentOrElse(
                                name -> sources.computeIfAbsent(name, _ -> new HashSet<>())
                                        .add(text),
                                () -> {
                                    if (wanted.isEmpty()) {
                                        refused.put(text, "it is no group of people that a host can have");
                                    }
                                }));
        sources.forEach((name, texts) -> {
            if (SystemNames.has(name.value())) {
                texts.forEach(text -> refused.put(text, "hosts have a group " + name + " of their own"));
            } else if (logins.contains(name)) {
                texts.forEach(text -> refused.put(text, "it is the own group of the user " + name));
            } else if (texts.size() > 1
                    && texts.stream().map(SourceGroups::exact).distinct().count() > 1) {
                texts.forEach(text -> refused.put(text, "another one would be called " + name + ", too"));
            } else {
                texts.forEach(text -> names.put(text, name));
            }
        });
    }

    /** Two authorities may both say that somebody is in one group; that is the same group. */
    private static String exact(String text) {
        return text.replaceAll("#.*$|:role=member", "");
    }

    private boolean isWanted(String text, Name name) {
        return wanted.isEmpty() || wanted.contains(text) || wanted.contains(name.value());
    }

    /** In order; without those that were refused. */
    List<Name> of(SourceUser user) {
        return user.groups().stream()
                .flatMap(text -> Optional.ofNullable(names.get(text)).stream())
                .distinct()
                .sorted()
                .toList();
    }

    /** Whether somebody is in one of the groups that were asked for. */
    boolean lets(SourceUser user) {
        return wanted.isEmpty() || !of(user).isEmpty();
    }

    Set<String> all() {
        return names.values().stream().map(Name::value).collect(Collectors.toSet());
    }

    /** Why a group of the source is left out. */
    SortedMap<String, String> refused() {
        return refused;
    }
}
