package io.deepsite.service.sites;

import static io.deepsite.service.sites.ServiceLab.ALICE;
import static io.deepsite.service.sites.ServiceLab.BIOLOGY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.ansible.FakeAnsible;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.service.access.Person;
import io.deepsite.service.records.Tables;
import io.deepsite.state.FileStores;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sites that are built already: other sizes, other people. */
class ChangeOfASiteTest {
    private static final Person BOB = new Person("https://idp.example", "bob", "Bob", Optional.empty(), List.of());
    private static final Person OTHER_BOB =
            new Person("https://idp.example", "bob2", "Bob", Optional.empty(), List.of());

    @TempDir
    Path folder;

    private ServiceLab lab;

    @BeforeEach
    void open() {
        lab = lab(ServiceLab.FOUR_MACHINES);
    }

    ServiceLab lab(Quota quota) {
        return new ServiceLab(
                folder, quota, Tables.inFolder(folder.resolve("tables")), environment(), FileStores::new, true);
    }

    /** With a program in place of ansible-playbook, which changes no host. */
    Map<String, String> environment() {
        try {
            FakeAnsible.PASSING.write(folder.resolve("tools"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Map.of("PATH", folder.resolve("tools") + ":/usr/bin:/bin");
    }

    @AfterEach
    void close() {
        lab.close();
    }

    private String ready(int nodes) {
        var id = lab.confirmed(nodes);
        lab.await(id, SiteStatus.READY);
        return id;
    }

    private SiteService.View resize(String id, int nodes) {
        return lab.sites.resizing().resize(ALICE, id, Map.of("nodes", String.valueOf(nodes)), Optional.empty());
    }

    private SiteService.View resized(String id, int nodes) {
        resize(id, nodes);
        lab.await(id, SiteStatus.PLANNED);
        lab.sites.confirm(ALICE, id, true, Optional.empty());
        return lab.await(id, SiteStatus.READY);
    }

    private List<String> machines() {
        return lab.cloud.things().stream()
                .filter(thing -> thing.startsWith("instance/"))
                .map(thing -> thing.replaceFirst(".*-(?=node)", ""))
                .sorted()
                .toList();
    }

    @Test
    void growsAndShrinksAfterAYesToEachPlan() {
        var id = ready(1);

        resize(id, 3);
        var planned = lab.await(id, SiteStatus.PLANNED);
        assertThat(planned.site().parameters()).containsEntry("nodes", "1");
        assertThat(planned.site().target()).containsEntry("nodes", "3");
        assertThat(planned.runs().getFirst().result().orElseThrow())
                .contains("instance/node-2", "instance/node-3")
                .doesNotContain("consents");
        assertThat(lab.sites.cost(planned.site()))
                .filteredOn(share -> share.name().equals("machines"))
                .allSatisfy(share -> {
                    assertThat(share.asked()).isEqualTo(2);
                    assertThat(share.used()).isEqualTo(1);
                });
        assertThat(machines()).containsExactly("node-1");

        lab.sites.confirm(ALICE, id, false, Optional.of(planned.site().version()));
        var grown = lab.await(id, SiteStatus.READY).site();
        assertThat(machines()).containsExactly("node-1", "node-2", "node-3");
        assertThat(grown.parameters()).containsEntry("nodes", "3");
        assertThat(grown.resize()).isEmpty();
        assertThat(grown.amounts().machines()).isEqualTo(3);

        resize(id, 1);
        var shrinking = lab.await(id, SiteStatus.PLANNED);
        assertThat(shrinking.runs().getFirst().result().orElseThrow()).contains("\"consents\":\"wipe\"");
        lab.sites.confirm(ALICE, id, false, Optional.empty());
        var shrunk = lab.await(id, SiteStatus.READY).site();
        assertThat(machines()).containsExactly("node-1");
        assertThat(shrunk.amounts().machines()).isEqualTo(1);
        assertThat(shrunk.consents()).isEmpty();
    }

    @Test
    void noYesLeavesItAsItIs() {
        var id = ready(1);
        resize(id, 3);
        lab.await(id, SiteStatus.PLANNED);

        lab.sites.cancel(ALICE, id);

        var kept = lab.sites.site(id).site();
        assertThat(kept.status()).isEqualTo(SiteStatus.READY);
        assertThat(kept.parameters()).containsEntry("nodes", "1");
        assertThat(kept.resize()).isEmpty();
        assertThat(machines()).containsExactly("node-1");
    }

    @Test
    void waitsUntilTheQuotaHasRoomAndStaysUsable() {
        var id = ready(2);
        var other = ready(2);
        resize(id, 3);
        lab.await(id, SiteStatus.PLANNED);
        assertThatThrownBy(() -> lab.sites.confirm(ALICE, id, false, Optional.empty()))
                .hasMessageContaining("machines: 4 of 4 are used, and this asks for 1.");

        var waiting = lab.sites.confirm(ALICE, id, true, Optional.empty());
        assertThat(waiting.site().status()).isEqualTo(SiteStatus.WAITING);
        assertThat(waiting.site().isUsable()).isTrue();

        lab.sites.delete(ALICE, other);
        lab.await(other, SiteStatus.DELETED);
        assertThat(lab.await(id, SiteStatus.READY).site().amounts().machines()).isEqualTo(3);
    }

    @Test
    void whatWaitsIsCancelledWithTheOldSize() {
        var id = ready(2);
        ready(2);
        resize(id, 4);
        lab.await(id, SiteStatus.PLANNED);
        lab.sites.confirm(ALICE, id, true, Optional.empty());

        lab.sites.cancel(ALICE, id);

        var kept = lab.sites.site(id).site();
        assertThat(kept.status()).isEqualTo(SiteStatus.READY);
        assertThat(kept.amounts().machines()).isEqualTo(2);
    }

    @Test
    void whatCanNeverFitIsRefusedAlsoWithItsOwnShare() {
        var id = ready(3);
        resize(id, 5);
        lab.await(id, SiteStatus.PLANNED);

        assertThatThrownBy(() -> lab.sites.confirm(ALICE, id, true, Optional.empty()))
                .hasMessageContaining("machines: 3 of 4 are used, and this asks for 2.");
    }

    @Test
    void aFailureGoesOnOrGoesBack() {
        var id = ready(1);
        var refusal = new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, "No room on this host.", "Ask for less."));
        lab.cloud.fail(Optional.of(Map.entry("create instance/node-2", refusal)));
        resize(id, 2);
        lab.await(id, SiteStatus.PLANNED);
        lab.sites.confirm(ALICE, id, false, Optional.empty());
        var failed = lab.await(id, SiteStatus.FAILED).site();
        assertThat(failed.amounts().machines()).isEqualTo(2);
        assertThat(failed.isUsable()).isTrue();

        lab.cloud.fail(Optional.empty());
        lab.sites.retry(ALICE, id);
        lab.await(id, SiteStatus.READY);
        assertThat(machines()).containsExactly("node-1", "node-2");

        lab.cloud.fail(Optional.of(Map.entry("create instance/node-3", refusal)));
        resize(id, 3);
        lab.await(id, SiteStatus.PLANNED);
        lab.sites.confirm(ALICE, id, false, Optional.empty());
        lab.await(id, SiteStatus.FAILED);
        lab.cloud.fail(Optional.empty());
        resize(id, 2);
        lab.await(id, SiteStatus.PLANNED);
        lab.sites.confirm(ALICE, id, false, Optional.empty());
        var back = lab.await(id, SiteStatus.READY).site();
        assertThat(back.amounts().machines()).isEqualTo(2);
        assertThat(machines()).containsExactly("node-1", "node-2");
    }

    @Test
    void valuesAreJudgedLikeThoseOfAnOrder() {
        var id = ready(1);

        assertThatThrownBy(() -> resize(id, 99)).hasMessageContaining("at least 1 and at most 16");
        assertThatThrownBy(() -> resize(id, 1)).hasMessageContaining("The site has these values already.");
        assertThatThrownBy(() ->
                        lab.sites.resizing().resize(ALICE, id, Map.of("nodes", "2}\nusers: {x"), Optional.empty()))
                .hasMessageContaining("is no integer");
        assertThatThrownBy(() -> lab.sites.resizing().resize(ALICE, id, Map.of("nodes", "2"), Optional.of(1L)))
                .hasMessageContaining("The site was changed since it was read");
        assertThat(lab.sites.site(id).site().status()).isEqualTo(SiteStatus.READY);
    }

    @Test
    void whatIsNotBuiltIsNotResized() {
        var id = lab.order(1).site().id();
        lab.await(id, SiteStatus.PLANNED);

        assertThatThrownBy(() -> resize(id, 2)).hasMessageContaining("It cannot be resized now.");
    }

    @Test
    void gpuHoursBeforeAResizeStayCounted() {
        var quota = new Quota(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(1000));
        lab.close();
        lab = lab(quota);
        var id = lab.sites
                .order(
                        ALICE,
                        new SiteService.Order(
                                BIOLOGY,
                                "GPUs",
                                Optional.of("hpc"),
                                ServiceLab.YAML
                                        .replace("memory: 1GiB", "memory: 1GiB, gpus: [{vendor: nvidia, count: 2}]")
                                        .replace("max: 8h", "max: 20h")
                                        .replace("default: 2h", "default: 8h"),
                                false,
                                new TreeMap<>(Map.of("nodes", "4")),
                                Optional.empty()),
                        Optional.empty())
                .site()
                .id();
        lab.await(id, SiteStatus.PLANNED);
        lab.sites.confirm(ALICE, id, false, Optional.empty());
        lab.await(id, SiteStatus.READY);

        lab.later(Duration.ofHours(2));
        resized(id, 1);

        // Eight cards for two hours, and two for the six hours that are left.
        assertThat(lab.sites.usage(BIOLOGY))
                .filteredOn(share -> share.name().equals("gpuHours"))
                .allSatisfy(share -> assertThat(share.used()).isEqualTo(8 * 2 + 2 * 6));
    }

    private String withAccount() {
        var id = lab.sites
                .order(
                        ALICE,
                        new SiteService.Order(
                                BIOLOGY,
                                "Ours",
                                Optional.of("hpc"),
                                ServiceLab.YAML,
                                true,
                                new TreeMap<>(),
                                Optional.empty()),
                        Optional.empty())
                .site()
                .id();
        lab.await(id, SiteStatus.PLANNED);
        lab.sites.confirm(ALICE, id, false, Optional.empty());
        lab.await(id, SiteStatus.READY);
        return id;
    }

    @Test
    void aColleagueGetsAnAccountOfAnApplyAndLosesItSo() {
        var id = withAccount();

        lab.sites.sharing().share(ALICE, id, BOB);
        var shared = lab.await(id, SiteStatus.READY);

        assertThat(shared.runs().getFirst().verb()).isEqualTo(RunRow.Verb.APPLY);
        assertThat(shared.site().yaml()).endsWith("users:\n  u-alice: {uid: 2001}\n  u-bob: {uid: 2002}\n");
        assertThat(shared.site().usersChanged()).isFalse();
        assertThat(lab.sites.sharing().with(id, BOB.id()))
                .hasValueSatisfying(share -> assertThat(share.account()).contains("u-bob"));
        assertThat(lab.sites.sites(BIOLOGY, Optional.of(BOB.id()), false, Optional.empty(), 10))
                .extracting(SiteRow::id)
                .containsExactly(id);

        var share = lab.sites.sharing().of(id).getFirst();
        lab.sites.sharing().end(ALICE, id, share.id());
        assertThat(lab.sites.sharing().with(id, BOB.id())).isEmpty();
        assertThat(lab.sites.sites(BIOLOGY, Optional.of(BOB.id()), false, Optional.empty(), 10))
                .isEmpty();
        assertThat(lab.await(id, SiteStatus.READY).site().yaml()).endsWith("users:\n  u-alice: {uid: 2001}\n");
    }

    @Test
    void theNumberOfAnAccountIsNeverGivenToSomebodyElse() {
        var id = withAccount();
        var sharing = lab.sites.sharing();

        sharing.share(ALICE, id, BOB);
        lab.await(id, SiteStatus.READY);
        sharing.end(ALICE, id, sharing.of(id).getFirst().id());
        lab.await(id, SiteStatus.READY);
        sharing.share(ALICE, id, OTHER_BOB);
        lab.await(id, SiteStatus.READY);
        sharing.share(ALICE, id, BOB);
        lab.await(id, SiteStatus.READY);

        assertThat(sharing.of(id))
                .extracting(share -> share.person() + " " + share.account().orElseThrow() + " "
                        + share.uid().orElseThrow())
                .containsExactlyInAnyOrder(OTHER_BOB.id() + " u-bob-2 2003", BOB.id() + " u-bob 2002");
    }

    @Test
    void whoIsSharedWithDuringAChangeComesWithTheNextApply() {
        var id = withAccount();
        resize(id, 2);
        lab.await(id, SiteStatus.PLANNED);

        lab.sites.sharing().share(ALICE, id, BOB);
        assertThat(lab.sites.site(id).site().usersChanged()).isTrue();
        lab.sites.cancel(ALICE, id);

        var ready = lab.await(id, SiteStatus.READY);
        assertThat(ready.site().usersChanged()).isFalse();
        assertThat(ready.runs().getFirst().verb()).isEqualTo(RunRow.Verb.APPLY);
        assertThat(machines()).containsExactly("node-1");
    }

    @Test
    void aSiteWithoutAccountsIsOnlySeen() {
        var id = ready(1);

        lab.sites.sharing().share(ALICE, id, BOB);

        assertThat(lab.sites.site(id).site().status()).isEqualTo(SiteStatus.READY);
        assertThat(lab.sites.sharing().of(id))
                .singleElement()
                .satisfies(share -> assertThat(share.account()).isEmpty());
        assertThat(lab.sites.audit(BIOLOGY, Long.MAX_VALUE, 1))
                .extracting(AuditTable.Entry::action)
                .containsExactly("shared with Bob");
    }
}
