package io.deepsite.apply;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code --until STAGE} and {@code --only GROUP}. */
final class Limits {
    private Limits() {}

    /** @throws Failure for a stage or group that is not in the plan */
    static void check(Plan plan, ApplyOptions options) {
        options.until()
                .ifPresent(stage -> known(
                        "stage",
                        stage,
                        Stream.concat(
                                        Stream.of(ApplyOptions.MACHINES),
                                        plan.stages().stream().map(Plan.StageOrder::name))
                                .toList()));
        options.only()
                .ifPresent(group -> known(
                        "group",
                        group,
                        plan.machines().values().stream()
                                .map(machine -> machine.group().value())
                                .distinct()
                                .toList()));
    }

    /** Steps inside hosts, in the plan's order: those within the limits that need no step outside them. */
    static List<Step> admitted(Plan plan, ApplyOptions options) {
        var admitted = new ArrayList<Step>();
        var beyond = new HashSet<String>();
        var barriersOf = plan.barriers().byStep();
        for (var step : plan.steps()) {
            switch (step) {
                case Step.OfResource _ -> {}
                case Step.Leave leave -> admitted.add(leave);
                case Step.OfRole role -> {
                    if (admits(plan, options, role) && role.needs().stream().noneMatch(beyond::contains)) {
                        admitted.add(role);
                    } else {
                        beyond.add(role.id());
                        beyond.addAll(barriersOf.getOrDefault(role.id(), List.of()));
                    }
                }
            }
        }
        return List.copyOf(admitted);
    }

    private static boolean admits(Plan plan, ApplyOptions options, Step.OfRole step) {
        var order = plan.stages().stream().map(Plan.StageOrder::name).toList();
        // --until machines has the index -1, before every stage.
        boolean soonEnough = options.until().isEmpty()
                || order.indexOf(step.stage()) <= order.indexOf(options.until().get());
        var machine = plan.machines().get(step.host());
        boolean inGroup = options.only().isEmpty()
                || (machine != null
                        && machine.group().value().equals(options.only().get()));
        return soonEnough && inGroup;
    }

    private static void known(String what, String name, List<String> names) {
        if (!names.contains(name)) {
            throw new Failure(Diagnostic.error(
                    Code.UNKNOWN_STAGE,
                    "The site has no " + what + " \"" + name + "\"; it has "
                            + (names.isEmpty() ? "none" : names.stream().collect(Collectors.joining(", "))) + ".",
                    names.isEmpty() ? "Leave the option out." : "Choose one of them."));
        }
    }
}
