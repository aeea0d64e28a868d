package io.deepsite.operations;

import io.deepsite.apply.ApplyOptions;
import io.deepsite.apply.Cancel;
import io.deepsite.apply.Event;
import io.deepsite.cluster.Stage;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Plan;
import io.deepsite.provider.Call;
import io.deepsite.provider.ImageStore;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ResourceId;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Name;
import io.deepsite.state.SiteStores;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Makes guest images with the packages of the site's roles: one for each machine group, of the image that the group names. A
 * site of its own has a machine for each; it is made, gets the packages, is cleaned and searched for secrets, becomes the
 * image, and goes again. What a killed run leaves carries the tags of that site, and the next run begins with its removal.
 */
public final class BakeOperation {

    private final SiteContext context;
    private final Consumer<Event> events;
    private final Cancel cancel;

    public BakeOperation(SiteContext context, Consumer<Event> events, Cancel cancel) {
        this.context = context;
        this.events = events;
        this.cancel = cancel;
    }

    /**
     * @param groups whose machines start from it
     * @param packages that roles bring, without what these depend on
     * @param made now; else it was there already
     */
    public record Baked(String name, List<Name> groups, String of, List<String> packages, boolean made) {
        public Baked {
            groups = List.copyOf(groups);
            packages = List.copyOf(packages);
        }
    }

    /**
     * @param only the group to bake for; all of the site's groups otherwise
     * @return in the order of the site's groups
     * @throws Failure IMAGE_HOLDS_SECRETS: then no image was stored
     */
    public List<Baked> bake(Optional<Name> only) {
        var store = store();
        var asked = asked(only);
        try (var _ = context.lock().acquire("image bake")) {
            removeRemains();
            var wanted = wanted(asked);
            var missing = wanted.stream().filter(Baked::made).toList();
            if (!missing.isEmpty()) {
                make(missing, asked, store);
            }
            return wanted;
        }
    }

    /**
     * @param contents by group
     * @param passed groups with machines through which SSH reaches those of other groups
     */
    private record Asked(Map<Name, ImageContents> contents, Set<Name> passed) {
        ImageContents of(Name group) {
            return Objects.requireNonNull(contents.get(group));
        }

        /** These, and those on the way to them. */
        Set<Name> with(Collection<Name> groups) {
            var all = new HashSet<>(passed);
            all.addAll(groups);
            return all;
        }
    }

    /** Deletes what a killed run left at the back-end, if any. */
    public void removeRemains() {
        refuseAnothers();
        if (hasRemains()) {
            try (var bake =
                    context.beside(temporary().with(context.site().machines().keySet()))) {
                end(bake);
            }
        }
    }

    private ImageStore store() {
        return context.provider().images().orElseThrow(this::makesNone);
    }

    /** By its back-end, or because none of its machines has a disk of which an image can be made. */
    private Failure makesNone() {
        return new Failure(Diagnostic.error(
                Code.NOT_WITH_PROVIDER,
                "No image can be made of the machines of this site, whose provider is "
                        + context.site().provider().provider() + ".",
                "They start from the images that site.yaml names, if the provider makes them. Of which machines images can be"
                        + " made: docs/guides/baked-images.md."));
    }

    private Asked asked(Optional<Name> only) {
        var groups = context.site().machines();
        only.filter(group -> !groups.containsKey(group)).ifPresent(group -> {
            throw new Failure(Diagnostic.error(
                    Code.UNKNOWN_STAGE,
                    "The site has no machine group " + group + "; it has "
                            + String.join(
                                    ", ",
                                    groups.keySet().stream().map(Name::value).toList())
                            + ".",
                    "Name one of them, or none for all."));
        });
        var desired = DesiredStateBuilder.on(context, context.survey(context.state()));
        var contents = new LinkedHashMap<Name, ImageContents>();
        groups.keySet().stream()
                .filter(group -> only.isEmpty() || only.get().equals(group))
                .forEach(group -> contents.put(group, ImageContents.of(desired, group)));
        contents.values().removeIf(ImageContents::isEmpty);
        if (contents.isEmpty()) {
            throw new Failure(Diagnostic.error(
                    Code.NOTHING_TO_BAKE,
                    "The roles of "
                            + only.map(group -> "the machine group " + group).orElse("this site")
                            + " bring no packages that an image could hold.",
                    "Its machines start from the image that site.yaml names, as they are."));
        }
        var machines = desired.design().byName();
        var passed = machines.values().stream()
                .filter(machine -> contents.containsKey(machine.group()))
                .flatMap(machine -> machine.via().stream())
                .map(via -> Objects.requireNonNull(machines.get(via)).group())
                .collect(Collectors.toSet());
        return new Asked(contents, passed);
    }

    /** One for each name: groups whose images would be equal share one. */
    private List<Baked> wanted(Asked asked) {
        var contents = asked.contents();
        try (var bake = context.beside(temporary().with(asked.with(contents.keySet())))) {
            var survey = bake.survey(bake.state());
            var there = survey.bakedImages();
            var names = BakedImages.names(
                    bake.compile(survey), contents, survey, context.runtime().home());
            var baked = new LinkedHashMap<String, Baked>();
            contents.forEach((group, held) -> Optional.ofNullable(names.get(group))
                    .ifPresent(name -> baked.merge(
                            name,
                            new Baked(
                                    name,
                                    List.of(group),
                                    image(group),
                                    List.copyOf(held.packages()),
                                    !there.contains(name)),
                            BakeOperation::both)));
            if (baked.isEmpty()) {
                throw makesNone();
            }
            return List.copyOf(baked.values());
        }
    }

    private static Baked both(Baked one, Baked other) {
        var groups = new ArrayList<>(one.groups());
        groups.addAll(other.groups());
        return new Baked(one.name(), groups, one.of(), one.packages(), one.made());
    }

    private void make(List<Baked> images, Asked asked, ImageStore store) {
        // First those that are reached through others: nobody gets through a machine that is sealed.
        var groups = images.stream()
                .map(image -> image.groups().getFirst())
                .sorted(Comparator.comparing(asked.passed()::contains))
                .toList();
        try (var bake = context.beside(temporary().with(asked.with(groups)))) {
            try {
                apply(bake, _ -> List.of());
                var seals = groups.stream()
                        .map(group -> MachineSeal.begin(bake, group.value(), asked.of(group)))
                        .toList();
                apply(bake, machines -> stages(bake, machines, groups, asked));
                // Roles that are left put back all files that they replaced; packages stay.
                apply(bake, _ -> List.of());
                seals.forEach(MachineSeal::close);
                images.forEach(image -> publish(bake, image, store));
            } catch (Failure e) {
                throw e.isCancelled() ? e : undone(bake, e);
            }
            end(bake);
        }
    }

    private static List<Stage> stages(SiteContext bake, List<Machine> machines, List<Name> groups, Asked asked) {
        var variables = new LinkedHashMap<String, Map<String, Object>>();
        machines.stream()
                .filter(machine -> groups.contains(machine.group()))
                .forEach(machine ->
                        variables.put(machine.name(), asked.of(machine.group()).variables()));
        var packages = new Stage("image.packages", ImageContents.role(), variables, 0, List.of(), false);
        return bake.stages().afterDownloads(machines, List.of(packages));
    }

    private void publish(SiteContext bake, Baked image, ImageStore store) {
        refuseWhenCancelled();
        var machine = machine(bake, image.groups().getFirst());
        var begun = context.runtime().clock().instant();
        events.accept(new Event.Phase("Image", 1));
        events.accept(new Event.Started("image", image.name(), "publish"));
        store.publish(
                machine, image.name(), image.of() + " with " + String.join(", ", image.packages()), call(image.name()));
        events.accept(new Event.Ended(
                "image",
                image.name(),
                Event.StepOutcome.DONE,
                "",
                Duration.between(begun, context.runtime().clock().instant())));
    }

    private static ObservedResource machine(SiteContext bake, Name group) {
        var id = new ResourceId(ResourceId.MACHINE, group.value());
        return bake.survey(bake.state()).owned().stream()
                .filter(owned -> owned.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new Failure(Diagnostic.error(
                        Code.CHANGED_SINCE_PLAN, "The machine " + group + " of the image is gone.", "")));
    }

    private Call call(String subject) {
        return new Call() {
            @Override
            public void progress(String what) {
                events.accept(new Event.Progress("image", subject, what));
            }

            @Override
            public boolean cancelled() {
                return cancel.asked();
            }
        };
    }

    private void apply(SiteContext bake, Function<List<Machine>, List<Stage>> stages) {
        refuseWhenCancelled();
        run(bake, new PlanOperation(bake).plan(stages), cancel);
    }

    /** @throws Failure CANCELLED, or why it failed */
    private void run(SiteContext bake, Plan plan, Cancel asked) {
        var options = new ApplyOptions(plan.consents(), Optional.empty(), Optional.empty());
        var result = new ApplyOperation(bake, plan, options, events, asked, Optional.of(owner())).run();
        if (result.cancelled()) {
            throw cancelled();
        }
        if (result.exit() != ExitCode.DONE) {
            throw new Failure(result.diagnostics());
        }
    }

    private void refuseWhenCancelled() {
        if (cancel.asked()) {
            throw cancelled();
        }
    }

    private Failure cancelled() {
        return new Failure(Diagnostic.error(
                Code.CANCELLED,
                "No image was stored. Machines of the site " + temporary().name() + " may still be there.",
                "The next bake removes them, and so does destroy:",
                "deepsite image bake",
                "deepsite destroy"));
    }

    /** The first failure, and why the machines are still there if they are. */
    private Failure undone(SiteContext bake, Failure why) {
        try {
            end(bake);
            return why;
        } catch (Failure e) {
            var all = new ArrayList<>(why.diagnostics());
            all.addAll(e.diagnostics());
            return new Failure(all);
        }
    }

    /** Not cancelled halfway: the user wants it to be over. */
    private void end(SiteContext bake) {
        run(bake, new PlanOperation(bake).destroyPlan(Set.of()), new Cancel());
        bake.records().remove();
    }

    private boolean hasRemains() {
        try (var records = records()) {
            return records.state().read().isPresent();
        }
    }

    /** A site that was applied by itself, and has the name of the one that bakes. */
    private void refuseAnothers() {
        try (var records = records()) {
            var state = records.state().read();
            if (state.isPresent()
                    && !state.get().isEmpty()
                    && !owner().toString().equals(state.get().firstRunOf())) {
                throw new Failure(Diagnostic.error(
                        Code.BAKE_OF_OTHERS,
                        "To bake images for " + context.site().name() + " deepsite makes and deletes a site named "
                                + temporary().name() + "; " + records.place()
                                + " records one that no bake made. Nothing was"
                                + " touched.",
                        "Rename one of the two sites, or move their files to different folders."));
            }
        }
    }

    private SiteStores records() {
        return context.runtime().records(context.file(), temporary().name());
    }

    private TemporarySite temporary() {
        return new TemporarySite(context.site());
    }

    private Path owner() {
        return context.file().toAbsolutePath();
    }

    private String image(Name group) {
        return Optional.ofNullable(context.site().machines().get(group))
                .flatMap(MachineGroup::image)
                .map(Object::toString)
                .orElse("");
    }
}
