package io.deepsite.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.site.Name;
import io.deepsite.state.RecordedResource;
import io.deepsite.state.SiteState;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class TwinsTest {
    private static final ResourceId BOX = new ResourceId(ResourceId.MACHINE, "box");

    private final SiteState fresh = SiteState.fresh("lab", "1.0");
    private final SiteState state = fresh.withResource(
            BOX.toString(),
            new RecordedResource("instance", "lab-box", new TreeMap<>(Map.of("volume.data", "data")), List.of()));

    @Test
    void theOneOfTheRecordedNameIsKept() {
        var copy = seen("a-copy", "", "data", Condition.READY);
        var ours = seen("lab-box", "", "other", Condition.STOPPED);

        assertThat(kept(copy, ours)).isEqualTo(ours);
        assertThat(fault(state, copy, ours))
                .startsWith("instance/box exists twice: a-copy, lab-box, with the same tags."
                        + " lab-box is the recorded one.");
    }

    @Test
    void ofOneNameTheOneThatIsAsRecordedIsKeptThoughItRests() {
        var sentAgain = seen("lab-box", "9", "", Condition.READY);
        var ours = seen("lab-box", "7", "data", Condition.STOPPED);

        assertThat(kept(sentAgain, ours)).isEqualTo(ours);
        assertThat(fault(state, sentAgain, ours))
                .contains("lab-box (7), lab-box (9)", "lab-box (7) is the recorded one");
    }

    @Test
    void ofTwoThatAreAlikeTheOneThatRunsIsKept() {
        var failed = seen("lab-box", "9", "data", Condition.HALF_MADE);
        var ours = seen("lab-box", "7", "data", Condition.READY);

        assertThat(kept(failed, ours)).isEqualTo(ours);
    }

    @Test
    void whereNoneIsRecordedThatIsSaid() {
        var failed = seen("lab-box", "9", "data", Condition.HALF_MADE);
        var ours = seen("lab-box", "7", "data", Condition.READY);

        assertThat(fault(fresh, failed, ours)).contains("None is recorded; lab-box (7) would be kept.");
    }

    @Test
    void whatIsThereOnceOrOfAnotherSiteHasNoTwin() {
        var ours = seen("lab-box", "7", "data", Condition.READY);
        var foreign = new ObservedResource(
                BOX,
                "lab-box",
                ours.attributes(),
                new Tags(new Name("lab"), "another", Optional.empty()),
                "1",
                Condition.READY,
                List.of());

        assertThat(Twins.of(List.of(ours, foreign), state)).isEmpty();
    }

    private ObservedResource kept(ObservedResource one, ObservedResource other) {
        var twins = Twins.of(List.of(one, other), state);
        assertThat(twins).isEqualTo(Twins.of(List.of(other, one), state)).hasSize(1);
        return twins.getFirst().kept();
    }

    private static String fault(SiteState state, ObservedResource... seen) {
        var failure = catchThrowableOfType(Failure.class, () -> Twins.refuse(List.of(seen), state));
        assertThat(failure.diagnostics()).extracting(Diagnostic::code).containsExactly(Code.TWICE_THERE);
        return failure.diagnostics().getFirst().why();
    }

    private ObservedResource seen(String name, String handle, String volume, Condition condition) {
        return new ObservedResource(
                BOX,
                name,
                new TreeMap<>(Map.of("volume.data", volume)),
                new Tags(new Name("lab"), fresh.lineage(), Optional.empty()),
                "1",
                condition,
                List.of(),
                0,
                handle);
    }
}
