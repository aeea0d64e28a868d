/**
 * Reads site.yaml: nodes with marks, then checks that report every fault of the file at once, then the model with its
 * defaults. The same description of the keys gives the JSON Schema, {@code explain} and the reference page.
 * Must not know what a plan is, a kind, or a provider: both are given to {@link io.deepsite.site.load.SiteModel}. Start at {@link io.deepsite.site.load.SiteLoader}.
 */
@NullMarked
package io.deepsite.site.load;

import org.jspecify.annotations.NullMarked;
