package io.deepsite.service.sites;

import static io.deepsite.service.sites.ServiceLab.ALICE;
import static io.deepsite.service.sites.ServiceLab.BIOLOGY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LifeOfASiteTest {
    @TempDir
    Path folder;

    private ServiceLab lab;

    @BeforeEach
    void open() {
        lab = lab(ServiceLab.FOUR_MACHINES);
    }

    ServiceLab lab(Quota quota) {
        return new ServiceLab(folder, quota);
    }

    @AfterEach
    void close() {
        lab.close();
    }

    @Test
    void isPlannedBuiltAndDeletedWithNothingLeft() {
        var id = lab.order(2).site().id();

        var planned = lab.await(id, SiteStatus.PLANNED);
        assertThat(planned.runs().getFirst().result().orElseThrow()).contains("instance/node-1", "instance/node-2");
        assertThat(lab.cloud.things()).isEmpty();

        lab.sites.confirm(ALICE, id, false, Optional.of(planned.site().version()));
        var ready = lab.await(id, SiteStatus.READY);
        assertThat(ready.runs().getFirst().result().orElseThrow()).contains("\"hosts\":{\"node-1\":");
        assertThat(ready.runs().getFirst().stepsDone())
                .isEqualTo(ready.runs().getFirst().steps())
                .isPositive();
        assertThat(ready.site().endsAt()).contains(lab.clock().instant().plus(Duration.ofHours(2)));
        assertThat(lab.cloud.things()).contains("instance/" + ready.site().name() + "-node-1");

        lab.sites.delete(ALICE, id);
        var deleted = lab.await(id, SiteStatus.DELETED);
        assertThat(lab.cloud.things()).isEmpty();
        assertThat(deleted.site().holdsQuota()).isFalse();
        assertThat(folder.resolve("sites").resolve(id)).doesNotExist();
    }

    @Test
    void whatDoesNotFitIsRefusedWithTheNumbers() {
        lab.await(lab.confirmed(3), SiteStatus.READY);
        var second = lab.order(2).site().id();
        lab.await(second, SiteStatus.PLANNED);

        assertThatThrownBy(() -> lab.sites.confirm(ALICE, second, false, Optional.empty()))
                .isInstanceOf(Failure.class)
                .hasMessageContaining("machines: 3 of 4 are used, and this asks for 2.");
        assertThat(lab.sites.site(second).site().status()).isEqualTo(SiteStatus.PLANNED);
    }

    @Test
    void whatCanNeverFitDoesNotWait() {
        var id = lab.order(5).site().id();
        lab.await(id, SiteStatus.PLANNED);

        assertThatThrownBy(() -> lab.sites.confirm(ALICE, id, true, Optional.empty()))
                .hasMessageContaining("machines: 0 of 4 are used, and this asks for 5.");
    }

    @Test
    void waitsInOrderUntilTheQuotaHasRoom() {
        var first = lab.confirmed(3);
        lab.await(first, SiteStatus.READY);
        var second = lab.confirmed(2);
        var third = lab.confirmed(2);

        assertThat(lab.sites.site(second).place()).contains(1);
        assertThat(lab.sites.site(third).place()).contains(2);

        lab.sites.delete(ALICE, first);
        lab.await(first, SiteStatus.DELETED);
        lab.await(second, SiteStatus.READY);
        lab.await(third, SiteStatus.READY);
    }

    @Test
    void beginsAtItsTime() {
        var start = lab.clock().instant().plus(Duration.ofHours(3));
        var id = lab.order(Map.of(), Optional.of(start)).site().id();
        lab.await(id, SiteStatus.PLANNED);
        lab.sites.confirm(ALICE, id, false, Optional.empty());
        assertThat(lab.sites.site(id).site().status()).isEqualTo(SiteStatus.WAITING);

        lab.later(Duration.ofHours(4));

        lab.await(id, SiteStatus.READY);
    }

    @Test
    void aFailureIsShownAndTriedAgain() {
        var refusal = new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, "No room on this host.", "Ask for less."));
        lab.cloud.fail(Optional.of(Map.entry("create instance/node-1", refusal)));
        var id = lab.order(1).site().id();
        lab.await(id, SiteStatus.PLANNED);
        lab.sites.confirm(ALICE, id, false, Optional.empty());
        var failed = lab.await(id, SiteStatus.FAILED);
        assertThat(failed.runs().getFirst().faults().orElseThrow())
                .contains(Code.PROVIDER_REFUSED.id(), "No room on this host.", "Ask for less.");
        assertThat(failed.site().holdsQuota()).isTrue();

        lab.cloud.fail(Optional.empty());
        lab.sites.retry(ALICE, id);

        lab.await(id, SiteStatus.READY);
    }

    @Test
    void aSiteThatFailedCanBeDeleted() {
        var refusal = new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, "No room on this host.", ""));
        lab.cloud.fail(Optional.of(Map.entry("create instance/node-1", refusal)));
        var id = lab.order(2).site().id();
        lab.await(id, SiteStatus.PLANNED);
        lab.sites.confirm(ALICE, id, false, Optional.empty());
        lab.await(id, SiteStatus.FAILED);

        lab.cloud.fail(Optional.empty());
        lab.sites.delete(ALICE, id);

        lab.await(id, SiteStatus.DELETED);
        assertThat(lab.cloud.things()).isEmpty();
    }

    @Test
    void oneThatWaitsIsCancelledAndConfirmedAnew() {
        var first = lab.confirmed(4);
        lab.await(first, SiteStatus.READY);
        var second = lab.confirmed(1);

        lab.sites.cancel(ALICE, second);

        assertThat(lab.sites.site(second).site().status()).isEqualTo(SiteStatus.PLANNED);
        assertThatThrownBy(() -> lab.sites.cancel(ALICE, second)).hasMessageContaining("Nothing works on it.");
    }

    @Test
    void endsWithItsLease() {
        var id = lab.confirmed(1);
        lab.await(id, SiteStatus.READY);

        lab.later(Duration.ofHours(3));

        lab.await(id, SiteStatus.DELETED);
        assertThat(lab.cloud.things()).isEmpty();
        assertThat(lab.sites.audit(BIOLOGY, Long.MAX_VALUE, 10))
                .anySatisfy(entry -> assertThat(entry.action()).isEqualTo("lease over"));
    }

    @Test
    void aLeaseIsExtendedWithinItsLimit() {
        var id = lab.confirmed(1);
        var site = lab.await(id, SiteStatus.READY).site();

        var end = lab.work.extend(site, Duration.ofHours(1));
        var extended = lab.sites.extended(ALICE, id, end);

        assertThat(extended.site().endsAt()).contains(lab.clock().instant().plus(Duration.ofHours(3)));
        assertThatThrownBy(() -> lab.work.extend(site, Duration.ofHours(6))).hasMessageContaining("lease.max");
    }

    @Test
    void whoSawAnOldVersionDoesNotDecide() {
        var id = lab.order(1).site().id();
        var planned = lab.await(id, SiteStatus.PLANNED);

        assertThatThrownBy(() -> lab.sites.confirm(
                        ALICE, id, false, Optional.of(planned.site().version() - 1)))
                .hasMessageContaining("The site was changed since it was read");
    }

    @Test
    void parametersOutOfTheirRangeAreRefused() {
        assertThatThrownBy(() -> lab.order(17)).hasMessageContaining("it must be at least 1 and at most 16");
        assertThatThrownBy(() -> lab.order(Map.of("nodes", "1}\nssh: {user: root"), Optional.empty()))
                .hasMessageContaining("is no integer");
        assertThat(lab.sites.sites(BIOLOGY, Optional.empty(), true, Optional.empty(), 10))
                .isEmpty();
    }

    @Test
    void eachActionIsAudited() {
        var id = lab.confirmed(1);
        lab.await(id, SiteStatus.READY);

        assertThat(lab.sites.audit(BIOLOGY, Long.MAX_VALUE, 10))
                .extracting(AuditTable.Entry::action, AuditTable.Entry::who, AuditTable.Entry::from)
                .containsExactly(tuple("apply", "alice@idp", "192.0.2.1"), tuple("plan", "alice@idp", "192.0.2.1"));
    }
}
