package io.deepsite.users;

import java.util.List;
import java.util.Optional;

/**
 * A person as the source says it; nothing of it was checked.
 *
 * @param id of the person there, which no other person gets; empty if the source has only login names
 * @param groups as the source writes them: {@code /physics/atlas}, an entitlement, or a plain name
 * @param keys lines of SSH public keys
 * @param uid the source's own, for sites whose files carry it
 * @param active whether the source lets the person log in
 */
public record SourceUser(
        String login,
        Optional<String> id,
        Optional<String> name,
        List<String> groups,
        List<String> keys,
        Optional<Integer> uid,
        boolean active) {
    public SourceUser {
        groups = List.copyOf(groups);
        keys = List.copyOf(keys);
    }
}
