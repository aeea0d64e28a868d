/** The list of the cluster kinds that deepsite ships. */
@NullMarked
package io.deepsite.cluster.builtin;

import org.jspecify.annotations.NullMarked;
