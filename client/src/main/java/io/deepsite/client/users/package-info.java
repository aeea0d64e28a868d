/** Users that other systems name: a provider's SCIM, and files. Must not know sites. Start at {@link io.deepsite.client.users.UserFiles}. */
@NullMarked
package io.deepsite.client.users;

import org.jspecify.annotations.NullMarked;
