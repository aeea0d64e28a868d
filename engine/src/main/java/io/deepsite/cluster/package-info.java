/**
 * One blueprint per kind of cluster: from the model of a site to stages, roles with their variables, requirements, and
 * the acceptance that proves it.
 * Must not know vendors or SSH.
 * Start at {@link io.deepsite.cluster.ClusterKind}.
 */
@NullMarked
package io.deepsite.cluster;

import org.jspecify.annotations.NullMarked;
