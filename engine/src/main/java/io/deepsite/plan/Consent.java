package io.deepsite.plan;

import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** What needs naming ({@code --allow reboot,replace}) or a yes at the prompt; {@code --yes} never implies it. */
public enum Consent {
    REBOOT("restarts machines that run"),
    REPLACE("makes machines anew; what is on their own disks is lost"),
    WIPE("deletes machines or volumes with their data"),
    DRAIN("takes nodes out of service"),
    REMOVE_PACKAGES("removes packages that a role installed");

    private static final String VOLUME = "volume";

    private final String meaning;

    static SortedSet<Consent> of(Step.OfResource step) {
        return switch (step.change()) {
            case CREATE, RELEASE, NONE -> new TreeSet<>();
            case UPDATE -> restarts(step) ? new TreeSet<>(Set.of(REBOOT)) : new TreeSet<>();
            case REPLACE -> new TreeSet<>(Set.of(step.isMachine() ? REPLACE : WIPE));
            case DELETE -> {
                var id = step.seen().orElseThrow().id();
                yield step.isMachine() || id.kind().equals(VOLUME) ? new TreeSet<>(Set.of(WIPE)) : new TreeSet<>();
            }
        };
    }

    private static boolean restarts(Step.OfResource step) {
        var seen = step.seen().orElseThrow();
        return seen.condition() == ObservedResource.Condition.READY
                && ResourceSteps.strongest(step.desired().orElseThrow(), seen) == Resource.Change.RESTART;
    }

    static SortedSet<Consent> of(Step.OfRole step) {
        var consents = new TreeSet<Consent>();
        if (!step.fresh()) {
            consents.addAll(of(step.contract().actions().stream()
                    .filter(action ->
                            step.actions().stream().anyMatch(run -> run.id().equals(action.id())))
                    .toList()));
            // Draining is what undoing such an action does.
            consents.remove(DRAIN);
        }
        var left = step.dropped().map(Contract::items).orElse(List.of()).stream()
                .map(Item::id)
                .toList();
        consents.addAll(ofLeft(
                step.items().stream().filter(item -> left.contains(item.id())).toList()));
        return consents;
    }

    static SortedSet<Consent> of(Step.Leave step) {
        var consents = of(step.contract().actions());
        consents.addAll(ofLeft(step.items()));
        return consents;
    }

    private static Set<Consent> ofLeft(List<ItemChange> items) {
        return items.stream()
                        .anyMatch(item ->
                                item.change() == Change.DELETE && item.id().startsWith("package:"))
                ? Set.of(REMOVE_PACKAGES)
                : Set.of();
    }

    /** What running or undoing these actions needs. */
    private static SortedSet<Consent> of(List<Action> actions) {
        var consents = new TreeSet<Consent>();
        for (var action : actions) {
            switch (action.blast()) {
                case NOTHING, RESTART -> {}
                case DRAIN -> consents.add(DRAIN);
                case WIPE -> consents.add(WIPE);
                case REBOOT -> consents.add(REBOOT);
            }
        }
        return consents;
    }

    Consent(String meaning) {
        this.meaning = meaning;
    }

    public String meaning() {
        return meaning;
    }

    /** As typed after {@code --allow}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
