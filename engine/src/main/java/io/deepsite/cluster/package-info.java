/**
 * What a kind of cluster is, and what all kinds share: from the model of a site to stages, roles with their variables,
 * requirements, and the acceptance that proves it. The kinds themselves are in the module clusters.
 * Must not know a kind or vendors; hosts it knows only as what runs a command.
 * Start at {@link io.deepsite.cluster.ClusterKind}.
 */
@NullMarked
package io.deepsite.cluster;

import org.jspecify.annotations.NullMarked;
