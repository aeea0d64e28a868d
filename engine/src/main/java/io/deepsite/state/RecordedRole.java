package io.deepsite.state;

import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/**
 * What one role guarantees on one host since it was applied there.
 *
 * @param stage the stage of the blueprint that contains it
 * @param needs stages that it depended on: they are removed after it
 * @param fingerprint of the contract, the actions and their tasks, as applied
 * @param contract as applied to the host, so that leaving needs neither site.yaml nor the role; not modified any more
 * @param actionsDone ids, in the order in which they ran
 */
public record RecordedRole(
        String stage, List<String> needs, String fingerprint, JsonNode contract, List<String> actionsDone) {
    public RecordedRole {
        Objects.requireNonNull(stage, "stage");
        needs = List.copyOf(needs);
        Objects.requireNonNull(fingerprint, "fingerprint");
        Objects.requireNonNull(contract, "contract");
        actionsDone = List.copyOf(actionsDone);
    }

    public RecordedRole withoutActions(List<String> undone) {
        return new RecordedRole(
                stage,
                needs,
                fingerprint,
                contract,
                actionsDone.stream().filter(action -> !undone.contains(action)).toList());
    }
}
