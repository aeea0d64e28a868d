/**
 * Diagnostics: what went wrong, where (file:line:column), why, and how to fix it; and the exit codes. Knows nothing
 * else of deepsite. Start at {@link io.deepsite.diag.Diagnostic}.
 */
@NullMarked
package io.deepsite.diag;

import org.jspecify.annotations.NullMarked;
