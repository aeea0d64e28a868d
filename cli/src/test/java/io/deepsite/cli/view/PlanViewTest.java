package io.deepsite.cli.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.plan.Plan;
import io.deepsite.site.load.Golden;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PlanViewTest {
    private static final Path GOLDEN = Path.of("src/test/resources/golden/plan");

    @Test
    void listsEverythingOfANewSite() {
        Golden.assertSame(GOLDEN.resolve("fresh.txt"), full(SamplePlans.fresh()));
    }

    @Test
    void listsEveryKindOfChange() {
        Golden.assertSame(GOLDEN.resolve("changes.txt"), full(SamplePlans.changes()));
    }

    @Test
    void listsOneLinePerStep() {
        Golden.assertSame(
                GOLDEN.resolve("changes-steps.txt"),
                new PlanView(Style.PLAIN, PlanView.Detail.STEPS).text(SamplePlans.changes()));
    }

    @Test
    void listsMachinesThatDifferInNamesAndAddressesAsOne() {
        Golden.assertSame(GOLDEN.resolve("many.txt"), full(SamplePlans.many()));
    }

    @Test
    void countsTheHostsOfRevisedRoles() {
        assertThat(full(SamplePlans.revised())).contains("Role munge revised: 3 hosts re-run, 0 files differ\n");
    }

    @Test
    void reportsThatNothingChanges() {
        assertThat(full(SamplePlans.nothing())).isEqualTo("Nothing to change: 3 hosts match site.yaml.\n");
    }

    @Test
    void namesTheBakedImageOfANewMachine() {
        assertThat(new PlanView(Style.PLAIN, PlanView.Detail.STEPS).text(SamplePlans.fromBakedImage()))
                .contains("  + instance/head  lab-head  from the baked image deepsite-0123456789abcdef\n");
    }

    @Test
    void tellsWhatTheSiteTakesOfTheQuotaAndCostsUntilItsLeaseEnds() {
        Golden.assertSame(GOLDEN.resolve("charged.txt"), full(SamplePlans.charged(Optional.of(172_800L))));
    }

    @Test
    void tellsTheCostOfAnHourWithoutALease() {
        Golden.assertSame(GOLDEN.resolve("charged-hourly.txt"), full(SamplePlans.charged(Optional.empty())));
    }

    @Test
    void removalListsNoConsents() {
        var view = new PlanView(Style.PLAIN, PlanView.Detail.STEPS);

        assertThat(view.text(SamplePlans.changes())).contains("--allow");
        assertThat(view.removal(SamplePlans.changes())).doesNotContain("--allow");
    }

    @Test
    void coloursOnlyRepeatTheText() {
        var coloured = new PlanView(Style.COLOUR, PlanView.Detail.FULL).text(SamplePlans.changes());

        assertThat(coloured).contains("\u001b[32m+");
        assertThat(coloured.replaceAll("\u001b\\[[0-9]+m", "")).isEqualTo(full(SamplePlans.changes()));
    }

    private static String full(Plan plan) {
        return new PlanView(Style.PLAIN, PlanView.Detail.FULL).text(plan);
    }
}
