package io.deepsite.state;

import org.jspecify.annotations.Nullable;

/**
 * What an import keeps of a user for ever, so that nobody else gets the uid or the name.
 *
 * @param id the person at the source, where the source says it: a login name may be given to another person there
 * @param left whether an import locked the account, and not an administrator
 */
public record RecordedUser(int uid, @Nullable String id, boolean left) {}
