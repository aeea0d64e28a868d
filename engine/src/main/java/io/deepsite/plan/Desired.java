package io.deepsite.plan;

import io.deepsite.cluster.Stage;
import io.deepsite.contract.Contents;
import io.deepsite.contract.Contract;
import io.deepsite.provider.Design;
import java.util.List;
import java.util.Map;

/**
 * The site as it shall be.
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

    public RenderedRole contract(Stage stage, String host) {
        var rendered = contracts.getOrDefault(stage.name(), Map.of()).get(host);
        if (rendered == null) {
            throw new IllegalStateException("no contract of " + stage.name() + " for " + host);
        }
        return rendered;
    }
}
