/**
 * Pages for people, rendered here; a browser needs no script to use them.
 * Start at {@link io.deepsite.service.page.Pages}.
 */
@NullMarked
package io.deepsite.service.page;

import org.jspecify.annotations.NullMarked;
