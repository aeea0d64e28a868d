/** The list of the kinds of clusters that deepsite brings along. */
@NullMarked
package io.deepsite.cluster.builtin;

import org.jspecify.annotations.NullMarked;
