/**
 * The batch system Slurm: its keys in site.yaml, their check, its stages, its acceptance.
 * Must not know another kind of cluster, nor any provider.
 * Start at {@link SlurmKind}.
 */
@NullMarked
package io.deepsite.cluster.slurm;

import org.jspecify.annotations.NullMarked;
