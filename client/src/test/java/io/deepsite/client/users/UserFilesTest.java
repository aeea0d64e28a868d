package io.deepsite.client.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.client.users.UserFiles.Format;
import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.users.SourceUser;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class UserFilesTest {
    private static List<SourceUser> read(Format format, String text) {
        return UserFiles.read(format, "people", text);
    }

    private static void assertRefused(Format format, String text, String why) {
        var failure = catchThrowableOfType(Failure.class, () -> read(format, text));

        assertThat(failure.diagnostics()).singleElement().satisfies(fault -> {
            assertThat(fault.code()).isEqualTo(Code.USER_SOURCE);
            assertThat(fault.why()).contains(why);
        });
    }

    @Test
    void readsASpreadsheet() {
        var users = read(Format.CSV, """
                login,name,groups,keys,uid,active
                alice,"Example, Alice",physics; chess,ssh-ed25519 AAAA a;ssh-rsa BBBB b,3001,yes

                bob,,,,,no
                """.replace("\n", "\r\n"));

        assertThat(users)
                .containsExactly(
                        new SourceUser(
                                "alice",
                                Optional.empty(),
                                Optional.of("Example, Alice"),
                                List.of("physics", "chess"),
                                List.of("ssh-ed25519 AAAA a", "ssh-rsa BBBB b"),
                                Optional.of(3001),
                                true),
                        new SourceUser(
                                "bob",
                                Optional.empty(),
                                Optional.empty(),
                                List.of(),
                                List.of(),
                                Optional.empty(),
                                false));
    }

    @Test
    void readsPeopleOfPasswdAndNotTheSystems() {
        var users = read(Format.PASSWD, """
                root:x:0:0:root:/root:/bin/bash
                alice:x:2001:2001:Alice Example,Room 5,,:/home/alice:/bin/bash
                nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin
                """);

        assertThat(users).singleElement().satisfies(user -> {
            assertThat(user.login()).isEqualTo("alice");
            assertThat(user.uid()).contains(2001);
            assertThat(user.name()).contains("Alice Example");
        });
    }

    @Test
    void readsClaims() {
        var users = read(Format.JSON, """
                [{"sub": "1", "preferred_username": "alice", "name": "Alice Example",
                  "wlcg.groups": ["/wlcg", "/wlcg/pilots"]},
                 {"sub": "2", "preferred_username": "bob", "eduperson_entitlement": "urn:x:group:physics#idp"}]
                """);

        assertThat(users).extracting(SourceUser::login).containsExactly("alice", "bob");
        assertThat(users.getFirst().groups()).containsExactly("/wlcg", "/wlcg/pilots");
        assertThat(users.getFirst().id()).contains("1");
        assertThat(users.getLast().groups()).containsExactly("urn:x:group:physics#idp");
    }

    @Test
    void readsASavedAnswerOfScimIfItIsComplete() {
        assertThat(read(
                        Format.JSON,
                        "{\"totalResults\": 1, \"Resources\": [{\"id\": \"1\", \"userName\": \"alice\"}]}"))
                .hasSize(1);
        assertRefused(
                Format.JSON,
                "{\"totalResults\": 2, \"Resources\": [{\"id\": \"1\", \"userName\": \"alice\"}]}",
                "one page of SCIM");
    }

    @Test
    void saysWhatIsWrong() {
        assertRefused(Format.CSV, "login,password\nalice,secret\n", "\"password\" is no column");
        assertRefused(Format.CSV, "login,uid\nalice,many\n", "no whole number");
        assertRefused(Format.CSV, "login,active\nalice,perhaps\n", "true or false");
        assertRefused(Format.CSV, "name\nAlice\n", "no login");
        assertRefused(Format.PASSWD, "alice,bob\n", "7 fields");
        assertRefused(Format.JSON, "[{\"name\": \"Alice\"}]", "no userName");
        assertRefused(Format.JSON, "[", "it is no JSON");
    }

    @Test
    void knowsFormatsByTheEndingOfTheName() {
        assertThat(Format.of("People.CSV")).isEqualTo(Format.CSV);
        assertThat(Format.of("people.json")).isEqualTo(Format.JSON);
        assertThat(Format.of("-")).isEqualTo(Format.PASSWD);
    }
}
