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
        target = new FileStores(new SiteStores.Opening(
                new StateFolder(folder.resolve("elsewhere/lab")),
                "lab",
                "1.0",
                site.context.runtime().clock(),
                _ -> {}));
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

        new StateMove(site.context, target).run();

        var after = target.state().read().orElseThrow();
        assertThat(after.asNew()).isEqualTo(before.asNew());
        assertThat(site.context.secretsIn(target.vault()).find("munge_key")).contains(secret);
        assertThat(site.store.read()).isEmpty();
        assertThat(site.context.records().vault().read()).isEmpty();
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
