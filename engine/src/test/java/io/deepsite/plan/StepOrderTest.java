package io.deepsite.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which steps of a plan wait for which. */
class StepOrderTest {
    private final SampleCluster cluster = new SampleCluster();

    @Test
    void aRoleWaitsForItsMachineAndForTheRolesThatItsStageNeeds() {
        cluster.stage("base", List.of(), "n1")
                .stage("node", List.of("base"), "n1")
                .stage("motd", List.of(), "n1");

        assertThat(before("node@n1")).contains("resource:instance/n1", "base@n1");
        assertThat(before("motd@n1")).containsExactly("resource:instance/n1");
    }

    @Test
    void aRoleWaitsForANeededStageThatRunsOnOtherHostsOnly() {
        cluster.stage("controller", List.of(), "head", "spare").stage("node", List.of("controller"), "n1");

        assertThat(before("node@n1")).contains("controller@head", "controller@spare");
    }

    @Test
    void aStageThatWaitsForEveryHostWaitsForThemThoughItsNeedRunsOnItsOwnHost() {
        cluster.stage("base", List.of(), "n1", "n2")
                .stage("node", List.of("base"), "n1")
                .afterEveryHost();

        assertThat(before("node@n1")).contains("base@n1", "base@n2");
    }

    @Test
    void aRoleThatIsUnchangedIsWaitedForByNone() {
        cluster.stage("base", List.of(), "n1")
                .stage("node", List.of("base"), "n1")
                .applied();
        cluster.stage("motd", List.of("node"), "n1");

        assertThat(before("motd@n1")).isEmpty();
    }

    @Test
    void aRoleIsAppliedAfterAnotherOfItsHostWasRemoved() {
        cluster.stage("old", List.of(), "n1")
                .stage("node", List.of(), "n1", "n2")
                .applied()
                .withoutStage("old")
                .revised();

        assertThat(before("node@n1")).containsExactly("leave.old@n1");
        assertThat(before("node@n2")).isEmpty();
    }

    @Test
    void aMachineIsDeletedAfterItsNodeLeftAndItsControllerForgetsItAfterThat() {
        cluster.stage("controller", List.of(), "head")
                .stage("node", List.of("controller"), "n1", "n2")
                .applied()
                .without("n1")
                .revised();

        assertThat(before("resource:instance/n1")).containsExactly("leave.node@n1");
        assertThat(before("leave.node@n1")).isEmpty();
        assertThat(before("controller@head")).containsExactly("leave.node@n1");
    }

    /** The whole chain up to the controller's own prerequisites waits, but only where that controller runs. */
    @Test
    void theRolesUnderAControllerWaitForItsDrainingNodeOnItsHostOnly() {
        cluster.stage("base", List.of(), "head", "n1", "other")
                .stage("controller", List.of("base"), "head")
                .stage("node", List.of("controller"), "n1")
                .applied()
                .without("n1")
                .revised();

        assertThat(before("base@head")).contains("leave.node@n1");
        assertThat(before("base@other")).doesNotContain("leave.node@n1");
    }

    @Test
    void anotherClusterDoesNotWaitForADrain() {
        cluster.stage("controller", List.of(), "head")
                .stage("node", List.of("controller"), "n1")
                .stage("web", List.of(), "www")
                .applied()
                .without("n1")
                .revised();

        assertThat(before("web@www")).isEmpty();
    }

    @Test
    void aControllerThatIsReplacedGoesAfterTheNodesThatItDrains() {
        cluster.stage("controller", List.of(), "head")
                .stage("node", List.of("controller"), "n1", "n2")
                .stage("web", List.of(), "www")
                .applied()
                .without("n1")
                .withNewImage("head")
                .withNewImage("www");

        assertThat(before("resource:instance/head")).containsExactly("leave.controller@head", "leave.node@n1");
        assertThat(before("resource:instance/www")).containsExactly("leave.web@www");
    }

    /** Each has what its role needs on itself, so neither needs the other to leave. */
    @Test
    void aMachineDoesNotWaitForADrainThatNeedsOnlyWhatTheDrainedMachineHasItself() {
        cluster.stage("base", List.of(), "n1", "n2")
                .passive()
                .stage("node", List.of("base"), "n1", "n2")
                .applied()
                .withNewImage("n1")
                .withNewImage("n2");

        assertThat(before("resource:instance/n1")).containsExactly("leave.node@n1");
    }

    @Test
    void aRemovedRoleGoesAfterThoseThatStandOnItAlsoAcrossHosts() {
        cluster.stage("controller", List.of(), "head")
                .stage("node", List.of("controller"), "n1")
                .applied()
                .withoutStage("node")
                .withoutStage("controller");

        assertThat(before("leave.controller@head")).containsExactly("leave.node@n1");
    }

    private Set<String> before(String step) {
        return SampleCluster.before(cluster.plan(), step);
    }
}
