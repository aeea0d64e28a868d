package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.ObservedResource;
import io.deepsite.site.LeaseTerms;
import io.deepsite.site.Span;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdoptionTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private static final Instant ENDS = Instant.parse("2026-11-21T12:00:00Z");

    @Test
    void anAdoptedLeaseKeepsTheLimitThatSiteYamlSets() {
        var lease = Adoption.lease(terms("4h", "24h"), ENDS);

        assertThat(lease.ends()).isEqualTo(ENDS);
        assertThat(lease.since()).isEqualTo(ENDS.minus(Duration.ofHours(4)));
        assertThat(lease.latest()).isEqualTo(ENDS.plus(Duration.ofHours(20)));
    }

    @Test
    void aLimitThatWasLoweredTakesNothingAwayThatWasGranted() {
        assertThat(Adoption.lease(terms("4h", "2h"), ENDS).latest()).isEqualTo(ENDS);
    }

    @Test
    void anAdoptedLeaseWithoutALimitHasNone() {
        var terms = Optional.of(new LeaseTerms(Span.parse("4h"), Optional.empty()));

        assertThat(Adoption.lease(terms, ENDS).latest()).isNull();
        assertThat(Adoption.lease(Optional.empty(), ENDS).latest()).isNull();
    }

    @Test
    void anEmptyStateOfAnotherLineageGivesWay() {
        try (var lab = new SessionOnFake(folder)) {
            lab.store.write(lab.fresh());
            lab.make("theirs");

            assertThat(lab.session.adopt()).containsExactly("one", "two");

            assertThat(lab.session.state().lineage()).isEqualTo("theirs");
            assertThat(lab.session.state().resources()).hasSize(3);
            assertThat(lab.provider.changes()).containsExactly("place instance/one", "place instance/two");
        }
    }

    @Test
    void recordsWhatItTakesOverBeforeItTouchesTheFirstKey() {
        try (var lab = new SessionOnFake(folder)) {
            lab.make("theirs");
            lab.provider.beforeEach(call -> {
                if (call.startsWith("place")) {
                    assertThat(lab.session.state().lineage()).isEqualTo("theirs");
                    assertThat(lab.session.state().resources()).hasSize(3);
                }
            });

            lab.session.adopt();

            assertThat(lab.provider.changes()).hasSize(2);
        }
    }

    @Test
    void touchesNoKeyWhenAMachineHasNoAddress() {
        try (var lab = new SessionOnFake(folder)) {
            lab.make("theirs");
            lab.provider.tellNoAddress("two");

            assertThatThrownBy(lab.session::adopt).isInstanceOf(Failure.class);

            assertThat(lab.provider.changes()).isEmpty();
        }
    }

    @Test
    void takesOverNothingWhereSomethingIsThereTwice() {
        try (var lab = new SessionOnFake(folder)) {
            lab.make("theirs");
            lab.provider.world().copy("instance", "lab-one", "a-copy");

            assertThatThrownBy(lab.session::adopt)
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
        try (var lab = new SessionOnFake(folder)) {
            lab.make("theirs");
            lab.recordAll(lab.store.write(lab.fresh().withLineage("theirs")));
            lab.provider.world().copy("instance", "lab-one", "a-copy");

            assertThatThrownBy(lab.session::adopt)
                    .isInstanceOfSatisfying(
                            Failure.class,
                            e -> assertThat(e.diagnostics().getFirst().commands())
                                    .containsExactly("deepsite gc --list", "deepsite gc", "deepsite adopt"));

            assertThat(lab.provider.changes()).isEmpty();
            assertThat(Orphans.of(lab.session))
                    .extracting(ObservedResource::name)
                    .containsExactly("a-copy");
        }
    }

    @Test
    void aSecondAdoptEndsWhatTheFirstBegan() {
        try (var lab = new SessionOnFake(folder)) {
            lab.make("theirs");
            lab.provider.failNext(
                    "place instance/two", new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, "No.", "")));

            assertThatThrownBy(lab.session::adopt).isInstanceOf(Failure.class);
            var keys = lab.provider.world().boot("lab-one");

            assertThat(lab.session.adopt()).containsExactly("one", "two");
            assertThat(lab.provider.world().boot("lab-one")).isEqualTo(keys);
            assertThat(lab.session.state().hosts()).containsOnlyKeys("one", "two");
        }
    }

    private static Optional<LeaseTerms> terms(String duration, String max) {
        return Optional.of(new LeaseTerms(Span.parse(duration), Optional.of(Span.parse(max))));
    }
}
