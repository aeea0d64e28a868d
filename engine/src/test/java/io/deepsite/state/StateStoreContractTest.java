package io.deepsite.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The contract of every {@link StateStore}; a store's own test extends this class. */
public abstract class StateStoreContractTest {
    private final SiteState fresh = SiteState.fresh("lab", "0.1.0");

    /** Reopens the store of one site, with what was written earlier in the same test. */
    protected abstract StateStore open();

    @Test
    void isEmptyAtFirst() {
        assertThat(open().read()).isEmpty();
    }

    @Test
    void givesBackWhatWasWritten() {
        var written = open().write(fresh.withHost(
                "ä-1",
                new RecordedHost(
                        "2001:db8::1",
                        2222,
                        "debian",
                        "ssh-ed25519 AAAA",
                        "gate",
                        true,
                        new RecordedSize(4, 1024, true),
                        new TreeMap<>())));

        assertThat(open().read()).contains(written);
    }

    @Test
    void countsTheSerialUp() {
        var store = open();

        var first = store.write(fresh);
        var second = store.write(Images.with(first, "debian/12", "f00"));

        assertThat(first.serial()).isEqualTo(1);
        assertThat(second.serial()).isEqualTo(2);
        assertThat(second.lineage()).isEqualTo(fresh.lineage());
    }

    @Test
    void refusesAStaleWriteAndKeepsWhatIsThere() {
        var first = open().write(fresh);
        var second = open().write(Images.with(first, "debian/12", "f00"));

        assertThat(codeOf(Images.with(first, "debian/12", "bad"))).isEqualTo(Code.STATE_STALE);
        assertThat(open().read()).contains(second);
    }

    @Test
    void refusesASecondBeginning() {
        open().write(fresh);

        assertThat(codeOf(SiteState.fresh("lab", "0.1.0"))).isEqualTo(Code.STATE_STALE);
    }

    @Test
    void refusesAnotherLineageOfTheSameSerial() {
        open().write(fresh);

        assertThat(codeOf(SiteState.fresh("lab", "0.1.0").withSerial(1))).isEqualTo(Code.STATE_STALE);
    }

    @Test
    void putsAnotherLineageInThePlaceOfOneThatRecordsNothing() {
        open().write(fresh);
        var other = SiteState.fresh("lab", "0.1.0");

        var written = open().supersede(other);

        assertThat(written.serial()).isEqualTo(1);
        assertThat(open().read()).contains(written);
        assertThat(open().write(written).lineage()).isEqualTo(other.lineage());
    }

    @Test
    void putsNothingInThePlaceOfOneThatRecordsSomething() {
        var written = open().write(
                        fresh.withResource("pool/p", new RecordedResource("pool", "p", new TreeMap<>(), List.of())));

        var failure = catchThrowableOfType(Failure.class, () -> open().supersede(SiteState.fresh("lab", "0.1.0")));

        assertThat(failure.diagnostics().getFirst().code()).isEqualTo(Code.STATE_STALE);
        assertThat(open().read()).contains(written);
    }

    @Test
    void refusesToGoOnWhenTheStateIsGone() {
        assertThat(codeOf(fresh.withSerial(3))).isEqualTo(Code.STATE_STALE);
    }

    private Code codeOf(SiteState state) {
        var failure = catchThrowableOfType(Failure.class, () -> open().write(state));
        return failure.diagnostics().getFirst().code();
    }
}
