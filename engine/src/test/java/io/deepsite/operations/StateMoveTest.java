package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import io.deepsite.diag.FaultMessage;
import io.deepsite.state.FileStores;
import io.deepsite.state.SecretKind;
import io.deepsite.state.SiteState;
import io.deepsite.state.SiteStores;
import io.deepsite.state.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Between two folders; the lane postgresql moves a site into a database and back. */
class StateMoveTest {
    @TempDir
    Path folder;

    private SiteOnFake site;
    private SiteStores target;

    @BeforeEach
    void open() {
        site = new SiteOnFake(folder);
        target = new FileStores(opening(folder.resolve("elsewhere/lab")));
    }

    @AfterEach
    void close() {
        site.close();
    }

    @Test
    void movesStateAndSecretsAndLeavesNone() {
        site.make("one");
        var before = site.recordAll(site.fresh());
        var secret = site.context.secrets().ensure("munge_key", new SecretKind.RandomBytes(16));

        site.context.records().lastResults().keep("verify", "{}");

        new StateMove(site.context, target).run();

        assertThat(target.lastResults().read("verify")).contains("{}");
        var after = target.state().read().orElseThrow();
        assertThat(after.asNew()).isEqualTo(before.asNew());
        assertThat(site.context.secretsIn(target.vault()).find("munge_key")).contains(secret);
        assertThat(site.store.read()).isEmpty();
        assertThat(site.context.records().vault().read()).isEmpty();
    }

    @Test
    void theLoginKeyGoesWithTheSecretsAndComesBackOnAnotherMachine() throws IOException {
        site.make("one");
        site.recordAll(site.fresh());
        var key = site.context.loginKey().ensure();
        var shared = folder.resolve("shared");
        try (var records = SharedFolder.at(shared, opening(folder.resolve("here/lab")))) {
            new StateMove(site.context, records).run();
        }

        var there = folder.resolve("there");
        var vaultKey = Path.of(".config/deepsite/vault.key");
        Files.createDirectories(there.resolve(vaultKey).getParent());
        Files.copy(folder.resolve(vaultKey), there.resolve(vaultKey));
        try (var other = new SiteOnFake(there, opening -> SharedFolder.at(shared, opening))) {
            var files = new FileStores(opening(there.resolve(".deepsite/lab")));
            new StateMove(other.context, files).run();

            assertThat(files.state().read()).isPresent();
        }
        assertThat(there.resolve(".deepsite/lab/login_key"))
                .content()
                .isEqualTo(key.privateKey().reveal());
    }

    @Test
    void nobodyReplacesALoginKeyThatIsAmongTheSecrets() {
        try (var one = new SiteOnFake(folder, opening -> SharedFolder.at(folder.resolve("shared"), opening))) {
            one.context.loginKey().ensure();
            var secrets = new SecretKeeping(one.context);

            assertThat(one.context.secrets().names()).containsExactly("login_key");
            assertThat(secrets.names()).isEmpty();
            assertThatThrownBy(() -> secrets.rotate("login_key")).isInstanceOf(Failure.class);
            assertThatThrownBy(() -> secrets.set("login_key", "x")).isInstanceOf(Failure.class);
        }
    }

    private SiteStores.Opening opening(Path state) {
        return new SiteStores.Opening(
                new StateFolder(state), "lab", "1.0", site.context.runtime().clock(), _ -> {});
    }

    @Test
    void aMoveThatWasKilledIsDoneAgain() {
        site.make("one");
        var before = site.recordAll(site.fresh());
        // As far as it came: it is in both.
        target.state().write(before.asNew());

        new StateMove(site.context, target).run();

        assertThat(target.state().read().orElseThrow().asNew()).isEqualTo(before.asNew());
        assertThat(site.store.read()).isEmpty();
    }

    @Test
    void anotherSiteOfThatNameIsLeftAlone() {
        site.make("one");
        var before = site.recordAll(site.fresh());
        var other = target.state().write(SiteState.fresh("lab", "1.0"));

        FaultMessage.assertReads(
                "state/DS4123-name-is-taken",
                () -> new StateMove(site.context, target).run(),
                text -> text.replace(folder.toString(), "/lab"));

        assertThat(target.state().read()).contains(other);
        assertThat(site.store.read()).contains(before);
    }

    @Test
    void recordsThatAreThereAlreadyStayAndKeepTheirLock() {
        site.make("one");
        var before = site.recordAll(site.fresh());

        assertThatThrownBy(() -> new StateMove(site.context, site.context.records()).run())
                .isInstanceOf(Failure.class)
                .hasMessageContaining("are in " + site.context.records().place() + " already");

        assertThat(site.store.read()).contains(before);
    }

    @Test
    void aSiteThatIsNotRecordedIsNotMoved() {
        assertThatThrownBy(() -> new StateMove(site.context, target).run()).isInstanceOf(Failure.class);
        assertThat(target.state().read()).isEmpty();
    }

    @Test
    void anInterruptedApplyDoesNotMove() {
        site.recordAll(site.fresh());
        try (var journal = site.context.records().journal()) {
            journal.intent("run-1", "machine:one", Map.of());
        }

        assertThatThrownBy(() -> new StateMove(site.context, target).run()).isInstanceOf(Failure.class);
        assertThat(site.store.read()).isPresent();
    }
}
