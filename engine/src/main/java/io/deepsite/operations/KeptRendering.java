package io.deepsite.operations;

import io.deepsite.cluster.Acceptance;
import io.deepsite.cluster.Stage;
import io.deepsite.contract.Digests;
import io.deepsite.plan.Desired;
import io.deepsite.provider.Machine;
import io.deepsite.render.ContractJson;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.render.SiteScope;
import io.deepsite.state.StateFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;

/**
 * What the templates came to the last time, beside the state, by a digest of all that goes into them. To start jinjava takes
 * longer than everything else in a run that finds nothing to change. The file can be deleted at any time.
 */
final class KeptRendering {
    private final StateFolder folder;
    private final DeepsiteHome home;
    private final Optional<String> build;
    private final CompletableFuture<Optional<String>> templates;
    private final CompletableFuture<Optional<Keyed>> last;

    KeptRendering(StateFolder folder, DeepsiteHome home) {
        this.folder = folder;
        this.home = home;
        this.build = home.build();
        // Runs during the back-end's requests. A program without an identity keeps nothing, and needs no digest.
        this.templates = build.isPresent()
                ? CompletableFuture.supplyAsync(() -> home.digest(home.templates()))
                : CompletableFuture.completedFuture(Optional.empty());
        this.last = CompletableFuture.supplyAsync(this::read);
    }

    /**
     * @param contracts by stage, then by host
     * @param scripts digests of the acceptances' scripts, in their order
     * @param texts by digest; with markers in place of secrets
     */
    record Kept(
            Map<String, Map<String, Desired.RenderedRole>> contracts,
            List<String> scripts,
            SortedMap<String, String> texts) {}

    /** The file. */
    record Keyed(String key, Kept rendering) {}

    /** One short text for everything that a rendering depends on; empty where a part of that cannot be told. */
    Optional<String> key(List<Stage> stages, List<Machine> machines, List<Acceptance> acceptances) {
        if (build.isEmpty()) {
            return Optional.empty();
        }
        var files = new TreeMap<String, Optional<String>>();
        stages.forEach(stage -> files.computeIfAbsent(stage.role(), role -> home.digest(home.role(role))));
        files.put("templates/", templates.join());
        files.put("the program", build);
        if (files.containsValue(Optional.<String>empty())) {
            return Optional.empty();
        }
        var asked = new ArrayList<Object>(List.of(new SiteScope(machines).hosts()));
        files.forEach((what, digest) -> asked.add(List.of(what, digest.orElseThrow())));
        stages.forEach(stage -> asked.add(List.of(stage.name(), stage.role(), stage.variables())));
        acceptances.forEach(acceptance -> asked.add(List.of(acceptance.template(), acceptance.variables())));
        return Optional.of(Digests.sha256(ContractJson.write(asked)));
    }

    /** What is kept under this key; else what is rendered now, kept from then on where the site has a state. */
    Kept get(Optional<String> key, Supplier<Kept> render) {
        return last.join()
                .filter(kept -> key.equals(Optional.of(kept.key())))
                .map(Keyed::rendering)
                .orElseGet(() -> {
                    var kept = render.get();
                    if (folder.exists()) {
                        key.ifPresent(now -> write(new Keyed(now, kept)));
                    }
                    return kept;
                });
    }

    /** Empty also if it cannot be read: then it is rendered again. */
    private Optional<Keyed> read() {
        try {
            return Optional.of(ContractJson.read(Files.readString(folder.renderedFile()), Keyed.class));
        } catch (IOException | JacksonException e) {
            return Optional.empty();
        }
    }

    private void write(Keyed kept) {
        try {
            // Which only its owner can read.
            var aside = Files.createTempFile(folder.path(), "rendered", ".new");
            try {
                Files.writeString(aside, ContractJson.write(kept));
                Files.move(aside, folder.renderedFile(), StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(aside);
            }
        } catch (IOException e) {
            // The next run renders again, as this one did.
        }
    }
}
