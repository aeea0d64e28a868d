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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

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

    /** Writes only the roles that have a step. */
    void write(Plan plan, List<Step> steps, List<SshTarget> targets, UnknownResolver resolver, Path folder) {
        var stages = new ArrayList<Bundle.Play>();
        var parts = new ArrayList<Bundle.Part>();
        for (var order : plan.stages()) {
            var hosts = new ArrayList<String>();
            for (var step : steps) {
                if (step instanceof Step.OfRole role && role.stage().equals(order.name())) {
                    hosts.add(role.host());
                    parts.add(part(role.contract(), role.fingerprint(), plan.contents(), resolver));
                }
            }
            if (!hosts.isEmpty()) {
                stages.add(new Bundle.Play(order.name(), order.role(), hosts, order.batch()));
            }
        }
        var leaves = new LinkedHashMap<String, List<Step.Leave>>();
        for (var step : steps) {
            if (step instanceof Step.Leave leave) {
                leaves.computeIfAbsent(playOf(leave), _ -> new ArrayList<>()).add(leave);
                parts.add(
                        leave.extent() == Step.Leave.Extent.ACTIONS
                                ? Bundle.Part.ofDropped(leave.contract())
                                : new Bundle.Part(leave.contract(), "", List.of()));
            }
        }
        write(
                new Bundle(
                        plan.site(),
                        stages,
                        leaves.entrySet().stream()
                                .map(entry -> leavePlay(entry.getKey(), entry.getValue()))
                                .toList(),
                        targets,
                        parts,
                        Optional.of(keyFile.path())),
                folder);
    }

    /** Names the play that a removal belongs to: one per stage and extent. */
    static String playOf(Step.Leave leave) {
        return switch (leave.extent()) {
            case ROLE -> "leave." + leave.stage();
            case ACTIONS -> "undo." + leave.stage();
            case MACHINE -> "leave." + leave.stage() + ".with_machine";
        };
    }

    private static Bundle.Play leavePlay(String name, List<Step.Leave> leaves) {
        return new Bundle.Play(
                name,
                leaves.getFirst().role(),
                leaves.stream().map(Step.Leave::host).toList(),
                leavesAtOnce(leaves));
    }

    /** Hosts at a time; 0 for all, 1 if restarts remove roles. */
    private static int leavesAtOnce(List<Step.Leave> leaves) {
        return leaves.stream().anyMatch(leave -> leave.consents().contains(Consent.REBOOT)) ? 1 : 0;
    }

    /** How many hosts the play of these steps works on at a time; 0 for all. */
    static int batch(Plan plan, List<Step> together) {
        return switch (together.getFirst()) {
            case Step.OfRole role ->
                plan.stages().stream()
                        .filter(order -> order.name().equals(role.stage()))
                        .mapToInt(Plan.StageOrder::batch)
                        .findFirst()
                        .orElse(0);
            case Step.Leave _ ->
                leavesAtOnce(together.stream().map(Step.Leave.class::cast).toList());
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
