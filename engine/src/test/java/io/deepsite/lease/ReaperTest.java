package io.deepsite.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Call;
import io.deepsite.provider.FakeProvider;
import io.deepsite.provider.FakeSettings;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Requirements;
import io.deepsite.provider.Sites;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReaperTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
    private static final Instant OVER = NOW.minusSeconds(1);
    private static final Instant LATER = NOW.plusSeconds(1);

    private final FakeProvider provider = new FakeProvider();

    @Test
    void destroysWhatIsOverMachinesFirstAndNothingElse() {
        make("old", Optional.of(OVER));
        make("young", Optional.of(LATER));
        make("forever", Optional.empty());
        provider.cloud().addForeign("instance", "somebody");

        var result = reap();

        assertThat(result.reaped()).extracting(LeasedSite::site).containsExactly(new Name("old"));
        assertThat(provider.changes()).containsExactly("delete instance/head", "delete network/net");
        assertThat(provider.cloud().names())
                .containsExactly(
                        "instance/forever-head",
                        "instance/somebody",
                        "instance/young-head",
                        "network/forever-net",
                        "network/young-net");
    }

    @Test
    void endsASiteAtItsVeryEnd() {
        make("old", Optional.of(NOW));

        assertThat(reap().reaped()).hasSize(1);
    }

    @Test
    void takesTheLatestEndOfASiteWhoseExtensionBrokeOff() {
        make("lab", Optional.of(OVER));
        provider.retag(owned("lab").getFirst(), Optional.of(until(LATER)), Call.QUIET);
        provider.forgetCalls();

        assertThat(reap().reaped()).isEmpty();
        assertThat(provider.changes()).isEmpty();
    }

    @Test
    void sparesASiteThatIsLengthenedWhileAnotherOneGoes() {
        make("a", Optional.of(OVER));
        make("b", Optional.of(OVER));
        provider.beforeEach(call -> {
            if (call.startsWith("delete")) {
                provider.beforeEach(_ -> {});
                owned("b").forEach(resource -> provider.retag(resource, Optional.of(until(LATER)), Call.QUIET));
            }
        });

        assertThat(reap().reaped()).extracting(LeasedSite::site).containsExactly(new Name("a"));
        assertThat(provider.cloud().names()).containsExactly("instance/b-head", "network/b-net");
    }

    @Test
    void sparesASiteThatIsDestroyedAndCreatedAgainMeanwhile() {
        make("old", Optional.of(OVER));
        provider.beforeEach(call -> {
            if (call.startsWith("delete")) {
                provider.beforeEach(_ -> {});
                provider.cloud().remove("network", "old-net");
                make("old", Optional.of(LATER));
            }
        });

        assertThat(reap().reaped()).isEmpty();

        assertThat(provider.cloud().names()).contains("network/old-net");
        assertThat(provider.changes()).doesNotContain("delete network/net");
    }

    @Test
    void letsGoOfWhatOthersUse() {
        make("old", Optional.of(OVER));
        provider.cloud().use("network", "old-net", "instance other");

        assertThat(reap().reaped()).hasSize(1);

        assertThat(provider.changes()).containsExactly("delete instance/head", "release network/net");
        assertThat(provider.cloud().names()).containsExactly("network/old-net");
        assertThat(owned("old")).isEmpty();
        assertThat(reap().reaped()).isEmpty();
    }

    @Test
    void reportsAndRetriesWhatCannotBeDeleted() {
        make("old", Optional.of(OVER));
        provider.failNext(
                "delete instance/head", new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, "It is in use.", "")));

        assertThat(reap().diagnostics()).extracting(Diagnostic::code).containsExactly(Code.PROVIDER_REFUSED);
        assertThat(reap().reaped()).hasSize(1);
        assertThat(provider.cloud().names()).isEmpty();
    }

    private Reaper.Result reap() {
        return new Reaper(provider, _ -> {}).reap(NOW);
    }

    private List<ObservedResource> owned(String site) {
        return provider.survey(new Tags.Scope.OneSite(new Name(site))).owned();
    }

    private static Tags.Lease until(Instant end) {
        return new Tags.Lease(end, Optional.empty());
    }

    private void make(String name, Optional<Instant> ends) {
        var site = Sites.site(name, new FakeSettings(), Map.of("head", Sites.single("debian/12", 1, "1GiB")));
        provider.survey(new Tags.Scope.OneSite(site.name()))
                .compile(site, new Requirements(Map.of(), List.of()))
                .resources()
                .forEach(resource -> provider.create(
                        resource,
                        new Tags(site.name(), "lineage-" + name, ends.map(ReaperTest::until)),
                        Boot.NONE,
                        Call.QUIET));
        provider.forgetCalls();
    }
}
