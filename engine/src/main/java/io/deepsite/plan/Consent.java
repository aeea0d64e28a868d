package io.deepsite.plan;

import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.Resource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What needs consent, by name ({@code --allow reboot,replace}) or at the prompt; {@code --yes} never implies it. */
public enum Consent {
    REBOOT("restarts running machines"),
    REPLACE("replaces machines; what is on their own disks is lost"),
    WIPE("deletes machines or volumes with their data, or accounts without their files"),
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
                && ResourceSteps.strongest(step.desired().orElseThrow(), seen) == Resource.Mutability.RESTART;
    }

    static SortedSet<Consent> of(Step.OfRole step) {
        var consents = new TreeSet<Consent>();
        if (!step.fresh()) {
            consents.addAll(of(step.contract().actions().stream()
                    .filter(action ->
                            step.actions().stream().anyMatch(run -> run.id().equals(action.id())))
                    // Undoing such an action drains; one that cannot be undone drains when it runs.
                    .filter(action -> action.blast() != Action.Impact.DRAIN
                            || action.undo().isEmpty())
                    .toList()));
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

    /**
     * The refusal of a plan that needs more consent than was given. It quotes what roles' actions do: some name an
     * alternative.
     *
     * @param command that gives the consent, without {@code --allow}
     */
    public static Failure refusal(Plan plan, SortedSet<Consent> missing, String command) {
        return new Failure(Diagnostic.error(
                Code.CONSENT_NEEDED,
                "The plan " + missing.stream().map(Consent::meaning).collect(Collectors.joining(", and ")) + "."
                        + askedBy(plan, missing) + " --yes does not cover that. Nothing was touched.",
                "To allow it, run:",
                command + " --allow " + missing.stream().map(Consent::word).collect(Collectors.joining(","))));
    }

    private static String askedBy(Plan plan, Set<Consent> missing) {
        var hosts = new TreeMap<String, SortedSet<String>>();
        for (var step : plan.steps()) {
            if (step instanceof Step.OfRole role && !role.fresh()) {
                role.actions().stream()
                        .filter(run -> of(run.blast()).filter(missing::contains).isPresent())
                        .forEach(run -> hosts.computeIfAbsent(run.does(), _ -> new TreeSet<>())
                                .add(role.host()));
            }
        }
        return hosts.entrySet().stream()
                .map(one -> " On " + String.join(", ", one.getValue()) + " it " + one.getKey() + ".")
                .collect(Collectors.joining());
    }

    private static Optional<Consent> of(Action.Impact blast) {
        return switch (blast) {
            case NOTHING, RESTART -> Optional.empty();
            case DRAIN -> Optional.of(DRAIN);
            case WIPE -> Optional.of(WIPE);
            case REBOOT -> Optional.of(REBOOT);
        };
    }

    private static Set<Consent> ofLeft(List<ItemChange> items) {
        return items.stream()
                        .anyMatch(item ->
                                item.change() == Change.DELETE && item.id().startsWith("package:"))
                ? Set.of(REMOVE_PACKAGES)
                : Set.of();
    }

    /** The consents needed to run or undo these actions. */
    private static SortedSet<Consent> of(List<Action> actions) {
        var consents = new TreeSet<Consent>();
        actions.forEach(action -> of(action.blast()).ifPresent(consents::add));
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
