package io.deepsite.apply;

import io.deepsite.plan.Step;
import java.util.List;

/** Steps that one play of Ansible runs: one stage, each step on a host of its own. */
record StepsOfPlay(String name, List<Step> steps) {
    StepsOfPlay {
        steps = List.copyOf(steps);
    }
}
