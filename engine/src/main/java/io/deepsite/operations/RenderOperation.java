package io.deepsite.operations;

import io.deepsite.ansible.Bundle;
import io.deepsite.ansible.BundleWriter;
import io.deepsite.apply.Access;
import io.deepsite.apply.Bundles;
import io.deepsite.apply.SecretNames;
import io.deepsite.apply.UnknownResolvers;
import io.deepsite.cluster.PciStage;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Desired;
import io.deepsite.plan.Facts;
import io.deepsite.provider.DeclaredSize;
import io.deepsite.provider.Machine;
import io.deepsite.provider.ResourceId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Writes the bundle of a whole site and changes no host. Hosts that existed before deepsite are asked what they are, unless
 * that is assumed. Secrets and keys that are missing are made: apply will use them.
 */
public final class RenderOperation {
    private final SiteContext context;

    public RenderOperation(SiteContext context) {
        this.context = context;
    }

    /**
     * What a bundle was made from.
     *
     * @param asked hosts that were logged in to and answered
     * @param assumed hosts whose size was assumed
     */
    public record Rendered(List<String> asked, List<String> assumed) {
        public Rendered {
            asked = List.copyOf(asked);
            assumed = List.copyOf(assumed);
        }

        /** What happened to the hosts, as a sentence. */
        public String words() {
            if (asked.isEmpty()) {
                return assumed.isEmpty()
                        ? "No host was reached."
                        : "It is made from assumed facts of " + count(assumed) + ", which are in "
                                + BundleWriter.ASSUMED + " there; no host was reached.";
            }
            return "No host was changed; " + count(asked) + " of the inventory told over SSH what "
                    + (asked.size() == 1 ? "it is." : "they are.")
                    + (assumed.isEmpty()
                            ? ""
                            : " No answer came from " + count(assumed) + ", taken as in " + BundleWriter.ASSUMED + ".");
        }

        private static String count(List<String> hosts) {
            return hosts.size() == 1 ? "1 host" : hosts.size() + " hosts";
        }
    }

    /** Logs in to hosts that existed before deepsite; one that does not answer is as the last apply recorded it. */
    public Rendered render(Path folder) {
        refuseUnlessEmpty(folder);
        var state = context.state();
        try (var inspector = context.inspector()) {
            var measured = inspector.measured(context.compile(context.survey(state)), state);
            var silent = new TreeMap<String, DeclaredSize>();
            measured.silent()
                    .keySet()
                    .forEach(host -> AssumedFacts.recorded(state, host).ifPresent(size -> silent.put(host, size)));
            write(DesiredStateBuilder.of(context, measured.design()), silent, folder);
            return new Rendered(answered(measured), List.copyOf(silent.keySet()));
        }
    }

    /** Logs in to no host. */
    public Rendered renderAssuming(Path folder) {
        refuseUnlessEmpty(folder);
        var state = context.state();
        var survey = context.survey(state);
        var site = context.site();
        var facts = AssumedFacts.of(
                group -> PciStage.gives(site, group), context.compile(survey), survey.declaredSizes(site), state);
        write(DesiredStateBuilder.of(context, facts.design()), facts.sizes(), folder);
        return new Rendered(List.of(), List.copyOf(facts.sizes().keySet()));
    }

    private static List<String> answered(HostInspector.Measured measured) {
        return measured.design().machines().stream()
                .filter(machine -> machine.resource().isEmpty())
                .map(Machine::name)
                .filter(host -> !measured.silent().containsKey(host))
                .toList();
    }

    private void write(Desired desired, Map<String, DeclaredSize> assumed, Path folder) {
        try (var _ = context.lock().acquire("render")) {
            ensureSecrets(desired);
        }
        var machines = desired.design().machines();
        var targets = machines.stream()
                .map(machine ->
                        context.access().target(machine, desired.design().byName()))
                .toList();
        var facts = new TreeMap<>(Facts.of(machines, Map.of()));
        targets.forEach(target ->
                facts.put(Facts.hostKey(target.name()), target.hostKey().line()));
        var resolver = UnknownResolvers.of(context.secrets(), facts);
        var plays = new ArrayList<Bundle.Play>();
        var parts = new ArrayList<Bundle.Part>();
        for (var stage : desired.stages()) {
            plays.add(new Bundle.Play(stage.name(), stage.role(), List.copyOf(stage.hosts()), stage.batch()));
            for (var host : stage.hosts()) {
                var rendered = desired.contract(stage, host);
                parts.add(Bundles.part(rendered.contract(), rendered.fingerprint(), desired.contents(), resolver));
            }
        }
        context.bundles()
                .write(
                        new Bundle(
                                context.site().name().value(),
                                plays,
                                List.of(),
                                targets,
                                parts,
                                Optional.of(context.vaultKey().path()),
                                assumed),
                        folder);
    }

    /** What lies there could be taken for a part of the bundle. */
    private static void refuseUnlessEmpty(Path folder) {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (var inside = Files.list(folder)) {
            if (inside.findAny().isEmpty()) {
                return;
            }
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.FILE_NOT_WRITTEN,
                            folder + " cannot be used as a folder: " + e + ".",
                            "Name another one."),
                    e);
        }
        throw new Failure(Diagnostic.error(
                Code.FILE_NOT_WRITTEN,
                "The folder " + folder + " is not empty. Nothing was written.",
                "Name a folder that is empty or not there yet, or remove this one."));
    }

    private void ensureSecrets(Desired desired) {
        var wanted = Access.hostKeys(desired.design().machines().stream()
                .flatMap(machine -> machine.resource().stream())
                .filter(id -> id.kind().equals(ResourceId.MACHINE))
                .map(ResourceId::key)
                .toList());
        desired.secrets().forEach(name -> wanted.put(name, SecretNames.kind(name)));
        context.secrets().ensure(wanted);
    }
}
