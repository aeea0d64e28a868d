/**
 * Mesos with Marathon and Chronos: its keys in site.yaml, their check, its stages, its acceptance.
 * Must not know another kind of cluster, nor any provider.
 * Start at {@link MesosKind}.
 */
@NullMarked
package io.deepsite.cluster.mesos;

import org.jspecify.annotations.NullMarked;
