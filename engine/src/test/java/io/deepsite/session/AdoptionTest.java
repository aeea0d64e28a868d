package io.deepsite.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.site.LeaseTerms;
import io.deepsite.site.Span;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AdoptionTest {
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

    private static Optional<LeaseTerms> terms(String duration, String max) {
        return Optional.of(new LeaseTerms(Span.parse(duration), Optional.of(Span.parse(max))));
    }
}
