package io.deepsite.users;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.site.Name;
import io.deepsite.site.SshPublicKey;
import io.deepsite.site.SystemNames;
import io.deepsite.site.User;
import io.deepsite.state.RecordedUser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Compares the users of a source with those that a site has, one import. A uid belongs to one person for ever, and so does
 * a login name: whoever leaves the source is locked and never removed. Use once.
 */
public final class UserImport {
    /** Linux' own limit. */
    private static final int LONGEST_LOGIN = 32;
    /** Above are the groups of site.yaml. */
    private static final int LAST_FREE_UID = 49_999;

    private final Known known;
    private final Rules rules;
    private final SortedMap<Name, User> users = new TreeMap<>();
    private final SortedMap<String, RecordedUser> register;
    private final Map<String, String> loginById = new HashMap<>();
    private final Set<Integer> taken;
    private final List<Change> changes = new ArrayList<>();

    /**
     * What the site has.
     *
     * @param own users of site.yaml, which no import touches
     * @param imported users of the file
     * @param register of earlier imports
     * @param accounts uids by login name of whatever account deepsite ever made on a host that is recorded
     * @param login deepsite's own on hosts
     */
    public record Known(
            Map<Name, User> own,
            Map<Name, User> imported,
            SortedMap<String, RecordedUser> register,
            Map<String, Integer> accounts,
            String login) {}

    /**
     * @param groups to take, with their members; empty for everybody
     * @param firstUid where free uids are looked for
     */
    public record Rules(Set<String> groups, int firstUid) {}

    /** What an import does with a user. */
    public enum Kind {
        ADDED,
        CHANGED,
        LOCKED,
        UNLOCKED,
        SKIPPED
    }

    /** @param what in words, for a person: {@code uid 2001, groups physics} */
    public record Change(Kind kind, String user, String what) {}

    /**
     * @param users of the file from now on
     * @param refusedGroups why, by the name that the source has for them
     */
    public record Result(
            SortedMap<Name, User> users,
            SortedMap<String, RecordedUser> register,
            List<Change> changes,
            SortedMap<String, String> refusedGroups) {
        public Result {
            changes = List.copyOf(changes);
        }

        public long count(Kind kind) {
            return changes.stream().filter(change -> change.kind() == kind).count();
        }
    }

    public UserImport(Known known, Rules rules) {
        this.known = known;
        this.rules = rules;
        this.register = new TreeMap<>(known.register());
        known.imported()
                .forEach((name, user) -> register.merge(
                        name.value(),
                        new RecordedUser(user.uid(), null, user.locked()),
                        (before, now) -> new RecordedUser(now.uid(), before.id(), before.left())));
        register.forEach((login, user) -> {
            if (user.id() != null) {
                loginById.put(user.id(), login);
            }
        });
        this.taken = new HashSet<>(known.accounts().values());
        known.own().values().forEach(user -> taken.add(user.uid()));
        register.values().forEach(user -> taken.add(user.uid()));
    }

    /** @throws Failure USER_SOURCE if the source names somebody twice, or no uid is free */
    public Result of(List<SourceUser> source) {
        requireOnce(source);
        users.putAll(known.imported());
        var logins = new TreeSet<>(known.own().keySet());
        logins.addAll(known.imported().keySet());
        var groups = new SourceGroups(source, rules.groups(), logins);
        var present = new HashSet<Name>();
        source.stream().filter(user -> user.active() && groups.lets(user)).forEach(user -> {
            var login = loginOf(user);
            var why = fault(login, user, groups);
            if (why.isEmpty()) {
                present.add(new Name(login));
                take(new Name(login), user, groups.of(user));
            } else {
                changes.add(new Change(Kind.SKIPPED, user.login(), why.get()));
                stays(login, user).ifPresent(present::add);
            }
        });
        known.imported().forEach((name, user) -> {
            if (!present.contains(name) && !user.locked()) {
                lock(name, user, inactive(source, name) ? "is not active there" : "is not there any more");
            }
        });
        return new Result(users, register, changes, groups.refused());
    }

    private boolean inactive(List<SourceUser> source, Name name) {
        return source.stream().anyMatch(user -> !user.active() && loginOf(user).equals(name.value()));
    }

    private static void requireOnce(List<SourceUser> source) {
        var seen = new HashSet<String>();
        for (var user : source) {
            var twice = !seen.add("login " + user.login())
                    || user.id().filter(id -> !seen.add("id " + id)).isPresent();
            if (twice) {
                throw new Failure(Diagnostic.error(
                        Code.USER_SOURCE,
                        "It names the user " + user.login() + " twice, or two users of one id. Nothing was changed.",
                        "Correct it there."));
            }
        }
    }

    /** Whoever was imported keeps the first login name, also if the source has another one now. */
    private String loginOf(SourceUser user) {
        return user.id().map(loginById::get).orElse(user.login());
    }

    /** An account whose user is there, and has something wrong, is left as it is. */
    private Optional<Name> stays(String login, SourceUser user) {
        return Optional.of(login)
                .filter(text -> text.matches(Name.PATTERN) && belongs(text, user))
                .map(Name::new)
                .filter(known.imported()::containsKey);
    }

    private Optional<String> fault(String login, SourceUser user, SourceGroups groups) {
        if (!login.matches(Name.PATTERN) || login.length() > LONGEST_LOGIN) {
            return Optional.of("no login name: lower case letters, digits and hyphens, at most " + LONGEST_LOGIN
                    + ", beginning with a letter");
        }
        if (SystemNames.has(login) || login.equals(known.login())) {
            return Optional.of("hosts have an account or group of that name");
        }
        if (known.own().containsKey(new Name(login))) {
            return Optional.of("is in site.yaml");
        }
        if (groups.all().contains(login)) {
            return Optional.of("there is a group of that name");
        }
        if (!belongs(login, user)) {
            return Optional.of("the name was another person's, whose files it has");
        }
        return uidFault(login, user);
    }

    private boolean belongs(String login, SourceUser user) {
        var before = register.get(login);
        return before == null
                || before.id() == null
                || user.id().isEmpty()
                || before.id().equals(user.id().get());
    }

    private Optional<String> uidFault(String login, SourceUser user) {
        var before = uid(login);
        return user.uid()
                .filter(asked -> before == null || !before.equals(asked))
                .flatMap(asked -> before != null
                        ? Optional.of("has the uid " + before + " here and " + asked + " there")
                        : asked < User.FIRST_UID || asked > User.LAST_UID
                                ? Optional.of("the uid " + asked + " is not between " + User.FIRST_UID + " and "
                                        + User.LAST_UID)
                                : taken.contains(asked)
                                        ? Optional.of("the uid " + asked + " is or was another user's")
                                        : Optional.empty());
    }

    private @Nullable Integer uid(String login) {
        var before = register.get(login);
        return before == null ? known.accounts().get(login) : Integer.valueOf(before.uid());
    }

    private void take(Name login, SourceUser user, List<Name> groups) {
        var before = known.imported().get(login);
        var kept = register.get(login.value());
        boolean byHand = before != null && before.locked() && (kept == null || !kept.left());
        int uid = Optional.ofNullable(uid(login.value())).or(user::uid).orElseGet(this::free);
        taken.add(uid);
        var next = new User(
                uid,
                groups,
                keys(user),
                before == null ? "/bin/bash" : before.shell(),
                user.name().map(UserImport::plain).filter(name -> !name.isEmpty()),
                byHand);
        users.put(login, next);
        register.put(login.value(), new RecordedUser(uid, user.id().orElse(kept == null ? null : kept.id()), false));
        if (before == null) {
            changes.add(new Change(Kind.ADDED, login.value(), UserWords.of(next)));
        } else if (before.locked() && !byHand) {
            changes.add(new Change(Kind.UNLOCKED, login.value(), UserWords.of(next)));
        } else if (!before.equals(next)) {
            changes.add(new Change(Kind.CHANGED, login.value(), UserWords.difference(before, next)));
        }
    }

    private void lock(Name name, User user, String why) {
        users.put(name, new User(user.uid(), user.groups(), user.keys(), user.shell(), user.name(), true));
        var kept = Objects.requireNonNull(register.get(name.value()));
        register.put(name.value(), new RecordedUser(kept.uid(), kept.id(), true));
        changes.add(new Change(Kind.LOCKED, name.value(), why));
    }

    private List<String> keys(SourceUser user) {
        var keys = new ArrayList<String>();
        for (var key : user.keys()) {
            var fault = SshPublicKey.fault(key);
            if (fault.isEmpty()) {
                keys.add(UserWords.key(key));
            } else {
                changes.add(new Change(Kind.SKIPPED, user.login(), "a key: " + fault));
            }
        }
        return keys;
    }

    private int free() {
        for (int uid = rules.firstUid(); uid <= LAST_FREE_UID; uid++) {
            if (!taken.contains(uid)) {
                return uid;
            }
        }
        throw new Failure(Diagnostic.error(
                Code.USER_SOURCE,
                "No uid from " + rules.firstUid() + " to " + LAST_FREE_UID + " is free. Nothing was changed.",
                "Begin lower, with --first-uid."));
    }

    /** As site.yaml takes it, where a dollar begins a parameter. */
    private static String plain(String name) {
        var text =
                name.replaceAll("[:,$\\p{Cntrl}]", " ").replaceAll("\\s+", " ").strip();
        return text.length() > 120 ? text.substring(0, 120).strip() : text;
    }
}
