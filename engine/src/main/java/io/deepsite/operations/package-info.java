/**
 * What a command line, or a service later, does with one site: opens it, plans, applies, verifies, destroys. The one place
 * where all the other packages meet, and where the object graph of an operation is built.
 * Must not know how anything is shown.
 * Start at {@link io.deepsite.operations.SiteContext}.
 */
@NullMarked
package io.deepsite.operations;

import org.jspecify.annotations.NullMarked;
