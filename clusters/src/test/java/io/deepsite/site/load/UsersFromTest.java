package io.deepsite.site.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.TestSites;
import io.deepsite.site.Name;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users of a file beside site.yaml. */
class UsersFromTest {
    @TempDir
    private Path folder;

    private LoadResult load(String users) throws IOException {
        return load(users, "");
    }

    private LoadResult load(String users, String more) throws IOException {
        Files.writeString(folder.resolve("users.yaml"), users);
        return TestSites.load(Files.writeString(folder.resolve("site.yaml"), """
                        apiVersion: deepsite/v1
                        site: lab
                        provider: {lxd: {}}
                        machines:
                          head: {image: debian/12}
                        users:
                          alice: {uid: 2001}
                        usersFrom: users.yaml
                        """ + more), Map.of());
    }

    @Test
    void usersOfBothFilesAreUsersOfTheSite() throws IOException {
        var site = load("users: {bob: {uid: 2002, locked: true}}\n").orFail();

        assertThat(site.users()).containsOnlyKeys(new Name("alice"), new Name("bob"));
        assertThat(site.activeUsers()).containsOnlyKeys(new Name("alice"));
    }

    @Test
    void anEmptyFileHasNoUsers() throws IOException {
        assertThat(load("users: {}\n").orFail().users()).containsOnlyKeys(new Name("alice"));
    }

    /** A provider has keys of its users, whether or not this site takes them. */
    @Test
    void keysOfTheFileMayHaveNoEffect() throws IOException {
        var key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f";
        var result =
                load("users: {bob: {uid: 2002, keys: [\"" + key + "\"]}}\n", "ssh: {certificates: {ownKeys: false}}\n");

        assertThat(result.diagnostics()).isEmpty();
    }

    @Test
    void aFaultIsShownInTheFileThatHasIt() throws IOException {
        var result = load("users:\n  root: {uid: 2002}\n");

        assertThat(result.diagnostics()).singleElement().satisfies(fault -> {
            assertThat(fault.where()).isNotNull();
            assertThat(fault.where().file()).endsWith("users.yaml");
            assertThat(fault.where().line()).isEqualTo(2);
        });
    }
}
