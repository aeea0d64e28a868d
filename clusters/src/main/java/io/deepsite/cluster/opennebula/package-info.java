/**
 * A cloud of OpenNebula with its KVM hosts: its keys in site.yaml, their check, its stages, its acceptance.
 * Must not know another kind of cluster, nor any provider.
 * Start at {@link OpenNebulaKind}.
 */
@NullMarked
package io.deepsite.cluster.opennebula;

import org.jspecify.annotations.NullMarked;
