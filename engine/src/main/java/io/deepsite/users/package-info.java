/**
 * Users that another system names: what an import adds, changes, locks and unlocks, and the file that has them.
 * Must not know from where they were read, nor write anything.
 * Start at {@link io.deepsite.users.UserImport}.
 */
@NullMarked
package io.deepsite.users;

import org.jspecify.annotations.NullMarked;
