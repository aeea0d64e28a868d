package io.deepsite.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.site.Name;
import io.deepsite.site.User;
import io.deepsite.state.RecordedUser;
import io.deepsite.users.UserImport.Change;
import io.deepsite.users.UserImport.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UserImportTest {
    private static final String KEY =
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f";

    private final Map<Name, User> own = new HashMap<>();
    private final Map<String, Integer> accounts = new HashMap<>();
    private SortedMap<Name, User> users = new TreeMap<>();
    private SortedMap<String, RecordedUser> register = new TreeMap<>();
    private UserImport.Rules rules = new UserImport.Rules(Set.of(), 2001);

    private UserImport.Result take(SourceUser... source) {
        var result = new UserImport(new UserImport.Known(own, users, register, accounts, "admin"), rules)
                .of(List.of(source));
        users = result.users();
        register = result.register();
        return result;
    }

    private static SourceUser user(String login, String id, String... groups) {
        return new SourceUser(
                login,
                Optional.of(id).filter(text -> !text.isEmpty()),
                Optional.empty(),
                List.of(groups),
                List.of(),
                Optional.empty(),
                true);
    }

    private static SourceUser numbered(String login, int uid) {
        return new SourceUser(login, Optional.empty(), Optional.empty(), List.of(), List.of(), Optional.of(uid), true);
    }

    private User of(String login) {
        var user = users.get(new Name(login));
        assertThat(user).as(login).isNotNull();
        return user;
    }

    private static void assertSkipped(UserImport.Result result, String login, String why) {
        assertThat(result.changes()).anySatisfy(change -> {
            assertThat(change.kind()).isEqualTo(Kind.SKIPPED);
            assertThat(change.user()).isEqualTo(login);
            assertThat(change.what()).contains(why);
        });
    }

    @Test
    void newUsersGetTheNextFreeUids() {
        own.put(new Name("zoe"), new User(2002, List.of(), List.of(), "/bin/bash", Optional.empty(), false));
        accounts.put("gone", 2003);

        var result = take(user("alice", "a", "/physics"), user("bob", "b"));

        assertThat(of("alice").uid()).isEqualTo(2001);
        assertThat(of("alice").groups()).containsExactly(new Name("physics"));
        assertThat(of("bob").uid()).isEqualTo(2004);
        assertThat(result.changes())
                .first()
                .isEqualTo(new Change(Kind.ADDED, "alice", "uid 2001, groups physics, 0 keys"));
    }

    @Test
    void aSecondImportChangesNothing() {
        take(user("alice", "a", "/physics"));

        assertThat(take(user("alice", "a", "/physics")).changes()).isEmpty();
    }

    @Test
    void whoLeftIsLockedAndKeepsTheUid() {
        take(user("alice", "a"), user("bob", "b"));

        var result = take(user("bob", "b"), user("carol", "c"));

        assertThat(of("alice").locked()).isTrue();
        assertThat(of("alice").uid()).isEqualTo(2001);
        assertThat(of("carol").uid()).isEqualTo(2003);
        assertThat(result.changes()).contains(new Change(Kind.LOCKED, "alice", "is not there any more"));
        assertThat(take(user("bob", "b"), user("carol", "c")).changes()).isEmpty();
    }

    @Test
    void aUidIsNotReusedAlsoWhenTheFileLostItsUser() {
        take(user("alice", "a"));
        users.clear();

        take(user("bob", "b"));

        assertThat(of("bob").uid()).isEqualTo(2002);
        take(user("bob", "b"), user("alice", "a"));
        assertThat(of("alice").uid()).isEqualTo(2001);
    }

    @Test
    void whoComesBackIsUnlocked() {
        take(user("alice", "a"), user("bob", "b"));
        take(user("bob", "b"));

        var result = take(user("alice", "a"), user("bob", "b"));

        assertThat(of("alice").locked()).isFalse();
        assertThat(of("alice").uid()).isEqualTo(2001);
        assertThat(result.count(Kind.UNLOCKED)).isOne();
    }

    @Test
    void whomAnAdministratorLockedStaysLocked() {
        take(user("alice", "a"), user("bob", "b"));
        users = new TreeMap<>(users);
        users.put(new Name("alice"), new User(2001, List.of(), List.of(), "/bin/bash", Optional.empty(), true));

        assertThat(take(user("alice", "a"), user("bob", "b")).changes()).isEmpty();
        assertThat(of("alice").locked()).isTrue();
    }

    @Test
    void anInactiveUserIsLockedAndNeverAdded() {
        take(user("alice", "a"));
        var away = new SourceUser(
                "alice", Optional.of("a"), Optional.empty(), List.of(), List.of(), Optional.empty(), false);
        var never = new SourceUser(
                "bob", Optional.of("b"), Optional.empty(), List.of(), List.of(), Optional.empty(), false);

        var result = take(away, never, user("carol", "c"));

        assertThat(result.changes()).contains(new Change(Kind.LOCKED, "alice", "is not active there"));
        assertThat(users).doesNotContainKey(new Name("bob"));
    }

    @Test
    void anotherPersonDoesNotGetTheNameNorTheFiles() {
        take(user("alice", "a"), user("bob", "b"));

        var result = take(user("alice", "somebody-else"), user("bob", "b"));

        assertSkipped(result, "alice", "the name was another person's");
        assertThat(of("alice").locked()).isTrue();
    }

    @Test
    void aPersonWithANewNameThereKeepsTheAccount() {
        take(user("alice", "a"));

        assertThat(take(user("alice-smith", "a")).changes()).isEmpty();
        assertThat(users).containsOnlyKeys(new Name("alice"));
    }

    @Test
    void noUserGetsAnAccountOfTheSystemOrOfDeepsite() {
        own.put(new Name("zoe"), new User(2002, List.of(), List.of(), "/bin/bash", Optional.empty(), false));

        var result = take(
                user("root", "1"), user("admin", "2"), user("zoe", "3"), user("a:b\nroot", "4"), user("Alice", "5"));

        assertThat(users).isEmpty();
        assertSkipped(result, "root", "of that name");
        assertSkipped(result, "admin", "of that name");
        assertSkipped(result, "zoe", "is in site.yaml");
        assertSkipped(result, "a:b\nroot", "no login name");
        assertSkipped(result, "Alice", "no login name");
    }

    @Test
    void noGroupOfTheSystemIsGiven() {
        var result = take(user("alice", "a", "sudo", "/docker", "lxd", "urn:x:group:root#a", "physics"));

        assertThat(of("alice").groups()).containsExactly(new Name("physics"));
        assertThat(result.refusedGroups()).containsOnlyKeys("sudo", "/docker", "lxd", "urn:x:group:root#a");
    }

    @Test
    void twoGroupsOfTheSourceDoNotBecomeOne() {
        var result = take(user("alice", "a", "/atlas/admins"), user("mallory", "m", "/atlas-admins"));

        assertThat(of("alice").groups()).isEmpty();
        assertThat(of("mallory").groups()).isEmpty();
        assertThat(result.refusedGroups()).containsOnlyKeys("/atlas/admins", "/atlas-admins");
    }

    @Test
    void readsGroupsAsWlcgAndAarcWriteThem() {
        take(user(
                "alice",
                "a",
                "/wlcg/pilots",
                "urn:geant:example.org:group:physics:atlas:role=member#idp.example.org",
                "urn:geant:example.org:group:physics:atlas#other.example.org",
                "urn:geant:example.org:group:physics:role=owner#idp.example.org",
                "urn:mace:dir:entitlement:common-lib-terms"));

        assertThat(of("alice").groups()).containsExactly(new Name("physics-atlas"), new Name("wlcg-pilots"));
    }

    @Test
    void takesMembersOfTheGroupsThatWereAskedFor() {
        rules = new UserImport.Rules(Set.of("/physics"), 3000);

        take(user("alice", "a", "/physics", "/chess"), user("bob", "b", "/chess"));

        assertThat(users).containsOnlyKeys(new Name("alice"));
        assertThat(of("alice").groups()).containsExactly(new Name("physics"));
        assertThat(of("alice").uid()).isEqualTo(3000);
    }

    @Test
    void aUserAndAGroupOfOneNameAreRefused() {
        take(user("alice", "a"));

        var result = take(user("alice", "a"), user("bob", "b", "alice"));

        assertThat(of("bob").groups()).isEmpty();
        assertThat(result.refusedGroups()).containsKey("alice");
        assertSkipped(take(user("alice", "a"), user("bob", "b", "chess"), user("chess", "c")), "chess", "a group");
    }

    @Test
    void uidsOfTheSourceAreTakenWhereNobodyHasThem() {
        accounts.put("gone", 3003);

        var result = take(numbered("alice", 3001), numbered("bob", 3001), numbered("carol", 0), numbered("dan", 3003));

        assertThat(of("alice").uid()).isEqualTo(3001);
        assertSkipped(result, "bob", "is or was another user's");
        assertSkipped(result, "carol", "is not between");
        assertSkipped(result, "dan", "is or was another user's");
    }

    @Test
    void anotherUidThereLeavesTheUserAsItIs() {
        take(numbered("alice", 3001));

        var result = take(numbered("alice", 3002));

        assertSkipped(result, "alice", "has the uid 3001 here and 3002 there");
        assertThat(of("alice").locked()).isFalse();
        assertThat(of("alice").uid()).isEqualTo(3001);
    }

    @Test
    void brokenKeysAreLeftOut() {
        var result = take(new SourceUser(
                "alice",
                Optional.empty(),
                Optional.of("Alice: ${x},\n Example"),
                List.of(),
                List.of(KEY + " alice's ${laptop}", "ssh-rsa nonsense"),
                Optional.empty(),
                true));

        assertThat(of("alice").keys()).containsExactly(KEY + " alice s laptop");
        assertThat(of("alice").name()).contains("Alice {x} Example");
        assertSkipped(result, "alice", "a key: ");
    }

    @Test
    void aSourceThatNamesSomebodyTwiceIsRefused() {
        var fault = catchThrowableOfType(Failure.class, () -> take(user("alice", "a"), user("alice", "b")));

        assertThat(fault.diagnostics()).extracting(one -> one.code()).containsExactly(Code.USER_SOURCE);
        assertThat(users).isEmpty();
    }

    @Test
    void aFileWithoutARegisterKeepsItsUids() {
        take(user("alice", ""));
        register = new TreeMap<>();

        take(user("alice", "a"), user("bob", "b"));

        assertThat(of("alice").uid()).isEqualTo(2001);
        assertThat(register.get("alice")).isEqualTo(new RecordedUser(2001, "a", false));
    }
}
