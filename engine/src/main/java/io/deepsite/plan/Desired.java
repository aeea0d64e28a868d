package io.deepsite.plan;

import io.deepsite.cluster.Stage;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import io.deepsite.provider.Design;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The desired state of the site.
 *
 * @param contracts by stage name, then by host
 * @param proofs acceptance scripts; their bodies are in {@code contents}
 */
public record Desired(
        Design design,
        List<Stage> stages,
        Map<String, Map<String, RenderedRole>> contracts,
        List<Plan.Proof> proofs,
        Contents contents) {

    /** @param fingerprint of the contract, its actions and their task files */
    public record RenderedRole(Contract contract, String fingerprint) {}

    /** Names of all secrets in the site's files. */
    public SortedSet<String> secrets() {
        var names = new TreeSet<String>();
        for (var hosts : contracts.values()) {
            for (var rendered : hosts.values()) {
                for (var item : rendered.contract().items()) {
                    if (item instanceof Item.File file) {
                        names.addAll(file.secrets());
                    }
                }
            }
        }
        return names;
    }

    /** The same on another design of the same machines. */
    public Desired on(Design other) {
        return new Desired(other, stages, contracts, proofs, contents);
    }

    public RenderedRole contract(Stage stage, String host) {
        var rendered = contracts.getOrDefault(stage.name(), Map.of()).get(host);
        if (rendered == null) {
            throw new IllegalStateException("no contract of " + stage.name() + " for " + host);
        }
        return rendered;
    }
}
