package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GcOperationTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    @SuppressWarnings("NullAway.Init") // set before each test
    private SiteOnFake lab;

    @BeforeEach
    void open() {
        lab = new SiteOnFake(folder);
    }

    @AfterEach
    void close() {
        lab.close();
    }

    @Test
    void sparesWhatAnApplyRecordedAfterTheLook() {
        var state = lab.store.write(lab.fresh());
        lab.make(state.lineage());
        var shown = GcOperation.of(lab.context);

        lab.recordAll(state);
        var collected = GcOperation.delete(lab.context, shown, _ -> {});

        assertThat(shown).hasSize(3);
        assertThat(collected.spared()).isEqualTo(3);
        assertThat(lab.provider.changes()).isEmpty();
    }

    @Test
    void sparesWhatNobodyWasShown() {
        var state = lab.store.write(lab.fresh());
        var shown = GcOperation.of(lab.context);

        lab.make(state.lineage());
        GcOperation.delete(lab.context, shown, _ -> {});

        assertThat(lab.provider.changes()).isEmpty();
    }

    @Test
    void deletesWhatBothLooksShow() {
        var state = lab.store.write(lab.fresh());
        lab.make(state.lineage());

        var collected = GcOperation.delete(lab.context, GcOperation.of(lab.context), _ -> {});

        assertThat(collected.spared()).isZero();
        assertThat(collected.faults()).isEmpty();
        assertThat(lab.provider.cloud().names()).isEmpty();
    }

    /** What was shown went, and another one of its name came. */
    @Test
    void sparesAnotherOneOfTheSameName() {
        var state = lab.store.write(lab.fresh());
        lab.make(state.lineage());
        var shown = GcOperation.of(lab.context).stream()
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

        assertThat(GcOperation.delete(lab.context, shown, _ -> {}).spared()).isEqualTo(3);

        assertThat(lab.provider.changes()).isEmpty();
    }

    @Test
    void looksAgainOnlyOnceItHoldsTheLock() {
        var state = lab.store.write(lab.fresh());
        lab.make(state.lineage());
        var shown = GcOperation.of(lab.context);
        lab.provider.beforeEach(
                call -> assertThat(lab.context.lock().holder()).as(call).isPresent());

        GcOperation.delete(lab.context, shown, _ -> {});

        assertThat(lab.provider.changes()).contains("delete " + new ResourceId(ResourceId.MACHINE, "one"));
    }
}
