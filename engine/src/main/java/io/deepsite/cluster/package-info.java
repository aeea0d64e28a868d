/**
 * The interface of cluster kinds, and what they share: from the model of a site to stages, roles with their variables,
 * requirements and acceptance tests. The kinds themselves are in the module clusters. Must not know a kind, vendors or
 * SSH. Start at {@link io.deepsite.cluster.ClusterKind}.
 */
@NullMarked
package io.deepsite.cluster;

import org.jspecify.annotations.NullMarked;
