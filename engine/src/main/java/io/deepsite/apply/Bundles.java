package io.deepsite.apply;

import io.deepsite.ansible.Bundle;
import io.deepsite.ansible.BundleWriter;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.diag.Diagnostic;
import io.deepsite.plan.Consent;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import io.deepsite.plan.UnknownResolver;
import io.deepsite.remote.SshTarget;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.state.VaultKeyFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Writes bundles to disk, from a resolved plan or from the whole desired site. */
public final class Bundles {
    private final DeepsiteHome home;
    private final VaultKeyFile keyFile;
    private final Duration patience;
    private final Consumer<Diagnostic> notices;

    /** @param patience Ansible's connection timeout */
    public Bundles(DeepsiteHome home, VaultKeyFile keyFile, Duration patience, Consumer<Diagnostic> notices) {
        this.home = home;
        this.keyFile = keyFile;
        this.patience = patience;
        this.notices = notices;
    }

    /**
     * Writes what one process of Ansible runs.
     *
     * @param plays of roles, or one of removals
     * @return the bundle's plays
     */
    List<Bundle.Play> write(
            Plan plan, List<StepsOfPlay> plays, List<SshTarget> targets, UnknownResolver resolver, Path folder) {
        var stages = new ArrayList<Bundle.Play>();
        var leaves = new ArrayList<Bundle.Play>();
        var parts = new ArrayList<Bundle.Part>();
        for (var play : plays) {
            var list = play.steps().getFirst() instanceof Step.Leave ? leaves : stages;
            list.add(play(plan, play, !list.isEmpty()));
            play.steps().forEach(step -> parts.add(part(step, plan, resolver)));
        }
        write(new Bundle(plan.site(), stages, leaves, targets, parts, Optional.of(keyFile.path())), folder);
        return Stream.concat(stages.stream(), leaves.stream()).toList();
    }

    /** @param cancellable it begins after another play */
    private static Bundle.Play play(Plan plan, StepsOfPlay play, boolean cancellable) {
        var first = play.steps().getFirst();
        return new Bundle.Play(
                play.name(),
                Configuration.role(first),
                play.steps().stream().map(Configuration::host).toList(),
                batch(plan, play.steps()),
                variables(play.steps()),
                cancellable);
    }

    private static Map<String, Object> variables(List<Step> steps) {
        var variables = new TreeMap<String, Object>();
        if (steps.getFirst() instanceof Step.Leave leave) {
            variables.put("deepsite_deleting", leave.machineGoes());
            variables.put("deepsite_dropped", leave.extent() == Step.Leave.Extent.ACTIONS);
        }
        if (steps.stream().anyMatch(step -> step.consents().contains(Consent.REMOVE_PACKAGES))) {
            variables.put("deepsite_remove_packages", true);
        }
        return variables;
    }

    private static Bundle.Part part(Step step, Plan plan, UnknownResolver resolver) {
        return switch (step) {
            case Step.OfRole role -> part(role.contract(), role.fingerprint(), plan.contents(), resolver);
            case Step.Leave leave ->
                leave.extent() == Step.Leave.Extent.ACTIONS
                        ? Bundle.Part.ofDropped(leave.contract())
                        : new Bundle.Part(leave.contract(), "", List.of());
            case Step.OfResource resource -> throw new IllegalArgumentException(resource.id() + " is run by no play");
        };
    }

    /** Names the play that a removal belongs to: one per stage and extent. */
    static String playOf(Step.Leave leave) {
        return switch (leave.extent()) {
            case ROLE -> "leave." + leave.stage();
            case ACTIONS -> "undo." + leave.stage();
            case MACHINE -> "leave." + leave.stage() + ".with_machine";
        };
    }

    /** How many hosts the play of these steps works on at a time; 0 for all. */
    private static int batch(Plan plan, List<Step> together) {
        return switch (together.getFirst()) {
            case Step.OfRole role ->
                plan.stages().stream()
                        .filter(order -> order.name().equals(role.stage()))
                        .mapToInt(Plan.StageOrder::batch)
                        .findFirst()
                        .orElse(0);
            // Removals that restart their host do so one after the other.
            case Step.Leave _ ->
                together.stream().anyMatch(leave -> leave.consents().contains(Consent.REBOOT)) ? 1 : 0;
            case Step.OfResource _ -> 0;
        };
    }

    /** The bundle of a whole site. */
    public void write(Bundle bundle, Path folder) {
        boolean secret =
                bundle.parts().stream().flatMap(part -> part.bodies().stream()).anyMatch(Bundle.Body::secret);
        var needed = secret
                ? bundle
                : new Bundle(
                        bundle.site(),
                        bundle.stages(),
                        bundle.leaves(),
                        bundle.hosts(),
                        bundle.parts(),
                        Optional.empty());
        new BundleWriter(home, patience, secret ? Optional.of(keyFile.readOrMake(notices)) : Optional.empty())
                .write(needed, folder);
    }

    public static Bundle.Part part(Contract contract, String fingerprint, Contents contents, UnknownResolver resolver) {
        var items = new ArrayList<Item>();
        var bodies = new ArrayList<Bundle.Body>();
        for (var item : contract.items()) {
            items.add(resolver.close(item, contents));
            if (item instanceof Item.File file) {
                var text = resolver.text(file, contents)
                        .orElseThrow(() -> new IllegalStateException(
                                file.path() + " on " + contract.host() + " still lacks " + resolver.missing(file)));
                bodies.add(new Bundle.Body(file.path(), contract.role() + file.path(), text, file.secret()));
            }
        }
        return new Bundle.Part(
                new Contract(
                        contract.role(),
                        contract.host(),
                        items,
                        contract.actions().stream().map(resolver::close).toList()),
                fingerprint,
                bodies);
    }
}
