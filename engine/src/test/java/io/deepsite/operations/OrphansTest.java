package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OrphansTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private SessionOnFake lab;

    @BeforeEach
    void open() {
        lab = new SessionOnFake(folder);
    }

    @AfterEach
    void close() {
        lab.close();
    }

    @Test
    void sparesWhatAnApplyRecordedAfterTheLook() {
        var state = lab.store.write(lab.fresh());
        lab.make(state.lineage());
        var shown = Orphans.of(lab.session);

        lab.recordAll(state);
        var collected = Orphans.delete(lab.session, shown, _ -> {});

        assertThat(shown).hasSize(3);
        assertThat(collected.spared()).isEqualTo(3);
        assertThat(lab.provider.changes()).isEmpty();
    }

    @Test
    void sparesWhatNobodyWasShown() {
        var state = lab.store.write(lab.fresh());
        var shown = Orphans.of(lab.session);

        lab.make(state.lineage());
        Orphans.delete(lab.session, shown, _ -> {});

        assertThat(lab.provider.changes()).isEmpty();
    }

    @Test
    void deletesWhatBothLooksShow() {
        var state = lab.store.write(lab.fresh());
        lab.make(state.lineage());

        var collected = Orphans.delete(lab.session, Orphans.of(lab.session), _ -> {});

        assertThat(collected.spared()).isZero();
        assertThat(collected.faults()).isEmpty();
        assertThat(lab.provider.world().names()).isEmpty();
    }

    /** What was shown went, and another one of its name came. */
    @Test
    void sparesAnotherOneOfTheSameName() {
        var state = lab.store.write(lab.fresh());
        lab.make(state.lineage());
        var shown = Orphans.of(lab.session).stream()
                .map(seen -> new ObservedResource(
                        seen.id(),
                        seen.name(),
                        seen.attributes(),
                        seen.tags(),
                        seen.version(),
                        seen.condition(),
                        seen.usedBy(),
                        seen.removal(),
                        "7"))
                .toList();

        assertThat(Orphans.delete(lab.session, shown, _ -> {}).spared()).isEqualTo(3);

        assertThat(lab.provider.changes()).isEmpty();
    }

    @Test
    void looksAgainOnlyOnceItHoldsTheLock() {
        var state = lab.store.write(lab.fresh());
        lab.make(state.lineage());
        var shown = Orphans.of(lab.session);
        lab.provider.beforeEach(
                call -> assertThat(lab.session.lock().holder()).as(call).isPresent());

        Orphans.delete(lab.session, shown, _ -> {});

        assertThat(lab.provider.changes()).contains("delete " + new ResourceId(ResourceId.MACHINE, "one"));
    }
}
