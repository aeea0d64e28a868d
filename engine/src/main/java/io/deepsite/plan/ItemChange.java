package io.deepsite.plan;

import io.deepsite.contract.Item;
import java.util.List;
import java.util.Optional;

/**
 * The change of one item of a contract on one host.
 *
 * @param change none for an item that is released but stays on the host
 * @param differences of a file never hold a digest of secret content
 * @param diff unified diff of a text file; secrets are masked
 */
public record ItemChange(String id, Change change, List<Item.Difference> differences, Optional<String> diff) {
    public ItemChange {
        differences = List.copyOf(differences);
    }
}
