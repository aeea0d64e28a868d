package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Tags;
import io.deepsite.site.LeaseTerms;
import io.deepsite.site.Span;
import io.deepsite.state.RecordedLease;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdoptOperationTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private static final Instant ENDS = Instant.parse("2026-11-21T12:00:00Z");

    @Test
    void anAdoptedLeaseKeepsTheLimitThatSiteYamlSets() {
        var lease = AdoptOperation.lease(terms("4h", "24h"), tag(Optional.empty()));

        assertThat(lease.ends()).isEqualTo(ENDS);
        assertThat(lease.since()).isEqualTo(ENDS.minus(Duration.ofHours(4)));
        assertThat(lease.latest()).isEqualTo(ENDS.plus(Duration.ofHours(20)));
    }

    /** 20 hours before its end: extended by 16 hours, of the 20 that the limit allows. */
    @Test
    void anExtendedLeaseKeepsItsBeginAndSoItsLimit() {
        var begin = ENDS.minus(Duration.ofHours(20));

        var lease = AdoptOperation.lease(terms("4h", "24h"), tag(Optional.of(begin)));

        assertThat(lease.since()).isEqualTo(begin);
        assertThat(lease.latest()).isEqualTo(ENDS.plus(Duration.ofHours(4)));
    }

    @Test
    void aBeginAfterTheEndIsNotTaken() {
        var lease = AdoptOperation.lease(terms("4h", "24h"), tag(Optional.of(ENDS.plusSeconds(1))));

        assertThat(lease.since()).isEqualTo(ENDS.minus(Duration.ofHours(4)));
    }

    @Test
    void anExtensionWritesTheBeginThatAdoptReads() {
        try (var lab = new SiteOnFake(folder)) {
            var begin = ENDS.minus(Duration.ofHours(20));
            lab.make("theirs", Optional.of(tag(Optional.of(begin))));
            new AdoptOperation(lab.context).adopt();
            assertThat(lab.context.state().lease()).isEqualTo(new RecordedLease(begin, ENDS, null));

            new LeaseOperation(lab.context).extend(Duration.ofHours(1));
            lab.store.write(lab.context.state().withLease(null));
            new AdoptOperation(lab.context).adopt();

            assertThat(lab.context.state().lease())
                    .isEqualTo(new RecordedLease(begin, ENDS.plus(Duration.ofHours(1)), null));
        }
    }

    @Test
    void aLimitThatWasLoweredTakesNothingAwayThatWasGranted() {
        assertThat(AdoptOperation.lease(terms("4h", "2h"), tag(Optional.empty()))
                        .latest())
                .isEqualTo(ENDS);
    }

    @Test
    void anAdoptedLeaseWithoutALimitHasNone() {
        var terms = Optional.of(LeaseTerms.of(Span.parse("4h"), Optional.empty()));

        assertThat(AdoptOperation.lease(terms, tag(Optional.empty())).latest()).isNull();
        assertThat(AdoptOperation.lease(Optional.empty(), tag(Optional.empty())).latest())
                .isNull();
    }

    @Test
    void anEmptyStateOfAnotherLineageGivesWay() {
        try (var lab = new SiteOnFake(folder)) {
            lab.store.write(lab.fresh());
            lab.make("theirs");

            assertThat(new AdoptOperation(lab.context).adopt()).containsExactly("one", "two");

            assertThat(lab.context.state().lineage()).isEqualTo("theirs");
            assertThat(lab.context.state().resources()).hasSize(3);
            assertThat(lab.provider.changes()).containsExactly("place instance/one", "place instance/two");
        }
    }

    @Test
    void recordsWhatItTakesOverBeforeItTouchesTheFirstKey() {
        try (var lab = new SiteOnFake(folder)) {
            lab.make("theirs");
            lab.provider.beforeEach(call -> {
                if (call.startsWith("place")) {
                    assertThat(lab.context.state().lineage()).isEqualTo("theirs");
                    assertThat(lab.context.state().resources()).hasSize(3);
                }
            });

            new AdoptOperation(lab.context).adopt();

            assertThat(lab.provider.changes()).hasSize(2);
        }
    }

    @Test
    void touchesNoKeyWhenAMachineHasNoAddress() {
        try (var lab = new SiteOnFake(folder)) {
            lab.make("theirs");
            lab.provider.tellNoAddress("two");

            assertThatThrownBy(new AdoptOperation(lab.context)::adopt).isInstanceOf(Failure.class);

            assertThat(lab.provider.changes()).isEmpty();
        }
    }

    @Test
    void takesOverNothingWhereSomethingIsThereTwice() {
        try (var lab = new SiteOnFake(folder)) {
            lab.make("theirs");
            lab.provider.cloud().copy("instance", "lab-one", "a-copy");

            assertThatThrownBy(new AdoptOperation(lab.context)::adopt)
                    .isInstanceOfSatisfying(
                            Failure.class,
                            e -> assertThat(e.diagnostics()).singleElement().satisfies(fault -> {
                                assertThat(fault.code()).isEqualTo(Code.TWICE_THERE);
                                assertThat(fault.why())
                                        .contains("a-copy, lab-one")
                                        .contains("None is recorded");
                                assertThat(fault.commands()).containsExactly("deepsite adopt");
                            }));

            assertThat(lab.provider.changes()).isEmpty();
            assertThat(lab.store.read()).isEmpty();
        }
    }

    /** A first adopt, or an apply, recorded one of them: then gc knows which one is too many. */
    @Test
    void ofTwoOfWhichOneIsRecordedGcTakesTheOther() {
        try (var lab = new SiteOnFake(folder)) {
            lab.make("theirs");
            lab.recordAll(lab.store.write(lab.fresh().withLineage("theirs")));
            lab.provider.cloud().copy("instance", "lab-one", "a-copy");

            assertThatThrownBy(new AdoptOperation(lab.context)::adopt)
                    .isInstanceOfSatisfying(
                            Failure.class,
                            e -> assertThat(e.diagnostics().getFirst().commands())
                                    .containsExactly("deepsite gc --list", "deepsite gc", "deepsite adopt"));

            assertThat(lab.provider.changes()).isEmpty();
            assertThat(GcOperation.of(lab.context))
                    .extracting(ObservedResource::name)
                    .containsExactly("a-copy");
        }
    }

    @Test
    void aSecondAdoptEndsWhatTheFirstBegan() {
        try (var lab = new SiteOnFake(folder)) {
            lab.make("theirs");
            lab.provider.failNext(
                    "place instance/two", new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, "No.", "")));

            assertThatThrownBy(new AdoptOperation(lab.context)::adopt).isInstanceOf(Failure.class);
            var keys = lab.provider.cloud().boot("lab-one");

            assertThat(new AdoptOperation(lab.context).adopt()).containsExactly("one", "two");
            assertThat(lab.provider.cloud().boot("lab-one")).isEqualTo(keys);
            assertThat(lab.context.state().hosts()).containsOnlyKeys("one", "two");
        }
    }

    private static Tags.Lease tag(Optional<Instant> begin) {
        return new Tags.Lease(ENDS, begin);
    }

    private static Optional<LeaseTerms> terms(String duration, String max) {
        return Optional.of(LeaseTerms.of(Span.parse(duration), Optional.of(Span.parse(max))));
    }
}
