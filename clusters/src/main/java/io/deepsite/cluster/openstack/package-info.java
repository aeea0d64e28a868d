/**
 * A cloud of OpenStack on LXD (nova-lxd), and LXD hosts on their own: its keys in site.yaml, their check, its stages, its acceptance.
 * Must not know another kind of cluster, nor any provider.
 * Start at {@link OpenStackKind}.
 */
@NullMarked
package io.deepsite.cluster.openstack;

import org.jspecify.annotations.NullMarked;
