package io.deepsite.operations;

import io.deepsite.ansible.Bundle;
import io.deepsite.apply.Access;
import io.deepsite.apply.Bundles;
import io.deepsite.apply.SecretNames;
import io.deepsite.apply.UnknownResolvers;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Desired;
import io.deepsite.plan.Facts;
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

/** Writes the bundle of a whole site and touches no host. Secrets and keys that are missing are made: apply will use them. */
public final class RenderOperation {
    private final SiteContext context;

    public RenderOperation(SiteContext context) {
        this.context = context;
    }

    public void render(Path folder) {
        refuseUnlessEmpty(folder);
        var desired = DesiredStateBuilder.on(context, context.survey(context.state()));
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
                                Optional.of(context.vaultKey().path())),
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
