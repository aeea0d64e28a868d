package io.deepsite.cli.view;

import io.deepsite.contract.ItemWords;
import io.deepsite.plan.Change;
import io.deepsite.plan.FieldChange;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import io.deepsite.text.HostNames;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What changes on the back-end. Numbered resources that differ only in values of their own, such as their addresses, are
 * listed as one.
 */
final class PlanResources {
    /** Fewer are listed one by one. */
    private static final int WORTH_A_GROUP = 3;

    private final Style style;
    private final PlanView.Detail detail;

    PlanResources(Style style, PlanView.Detail detail) {
        this.style = style;
        this.detail = detail;
    }

    void into(Lines lines, Plan plan) {
        var alike = new LinkedHashMap<List<Object>, List<Step.OfResource>>();
        for (var step : plan.steps()) {
            if (step instanceof Step.OfResource resource) {
                alike.computeIfAbsent(common(resource), _ -> new ArrayList<>()).add(resource);
            }
        }
        if (alike.isEmpty()) {
            return;
        }
        lines.gap().add(0, style.bold("Machines and resources"));
        for (var group : alike.values()) {
            if (group.size() < WORTH_A_GROUP) {
                group.forEach(step -> resources(lines, List.of(step)));
            } else {
                group.sort((one, other) -> HostNames.compare(PlanView.id(one), PlanView.id(other)));
                resources(lines, group);
            }
        }
    }

    /** What resources that are listed as one have in common. */
    private static List<Object> common(Step.OfResource step) {
        var id = PlanView.id(step);
        var key = id.substring(id.indexOf('/') + 1);
        return List.of(
                id.replaceFirst("[0-9]+$", ""),
                origin(step),
                step.change(),
                step.seen().isEmpty(),
                step.reason(),
                step.fields().stream().map(field -> common(field, key)).toList());
    }

    private static FieldChange common(FieldChange field, String key) {
        UnaryOperator<String> own = value -> field.field().endsWith("address") ? "" : HostNames.without(key, value);
        return new FieldChange(
                field.field(), field.before().map(own), field.after().map(own));
    }

    private void resources(Lines lines, List<Step.OfResource> group) {
        var first = group.getFirst();
        var change = first.change();
        var name = HostNames.brief(group.stream().map(PlanResources::name).toList());
        lines.add(
                2,
                style.sign(change) + " " + style.bold(ids(group)) + "  " + name + origin(first)
                        + (group.size() == 1 ? "" : "  (" + group.size() + ")")
                        + (change == Change.CREATE && first.seen().isEmpty() ? "" : style.dim("  " + first.reason())));
        if (detail == PlanView.Detail.FULL && change != Change.DELETE && change != Change.RELEASE) {
            int width = first.fields().stream()
                    .mapToInt(field -> field.field().length())
                    .max()
                    .orElse(0);
            for (int field = 0; field < first.fields().size(); field++) {
                lines.add(6, field(group, field, width));
            }
        }
    }

    /** What it is made from; one that stays as it is tells nothing of that. */
    private static String origin(Step.OfResource step) {
        var change = step.change();
        return change == Change.CREATE || change == Change.REPLACE
                ? step.desired()
                        .map(resource -> resource.isTakenUp()
                                ? "  with what an earlier site of this name left in it"
                                : resource.bakedImage()
                                        .map(image -> "  from the baked image " + image)
                                        .orElse(""))
                        .orElse("")
                : "";
    }

    private static String ids(List<Step.OfResource> group) {
        var first = PlanView.id(group.getFirst());
        var kind = first.substring(0, first.lastIndexOf('/') + 1);
        return kind
                + HostNames.brief(group.stream()
                        .map(step -> PlanView.id(step).substring(kind.length()))
                        .toList());
    }

    private static String name(Step.OfResource step) {
        return step.desired()
                .map(Resource::name)
                .or(() -> step.seen().map(ObservedResource::name))
                .orElse("");
    }

    /** Of values that each resource has its own of, the first and the last. */
    private String field(List<Step.OfResource> group, int index, int width) {
        var field = group.getFirst().fields().get(index);
        var last = group.getLast().fields().get(index);
        var sign = style.sign(
                field.after().isEmpty() ? Change.DELETE : field.before().isEmpty() ? Change.CREATE : Change.UPDATE);
        return sign + " " + Fit.pad(field.field(), width) + "  " + value(field)
                + (field.equals(last) ? "" : " … " + value(last));
    }

    private static String value(FieldChange field) {
        var before = field.before().map(ItemWords::value);
        var after = field.after().map(ItemWords::value);
        return before.isPresent() && after.isPresent()
                ? before.get() + " -> " + after.get()
                : before.or(() -> after).orElse("");
    }
}
