/**
 * The provider for a tenant of an OpenStack cloud: credentials as users have them, openstack4j over our HTTP
 * client. Knows nothing of plans, state or SSH. Start at {@code Cloud}, the connection.
 */
@NullMarked
package io.deepsite.openstack;

import org.jspecify.annotations.NullMarked;
