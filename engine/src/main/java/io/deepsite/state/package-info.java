/**
 * What deepsite remembers of a site between two runs: the recorded state, the journal of what was begun, the lock, the
 * secrets and the folders of past runs. Must not know how anything is made, planned or shown: only diagnostics lie below.
 * Start at {@link io.deepsite.state.StateFolder}, then {@link io.deepsite.state.SiteState}.
 */
@NullMarked
package io.deepsite.state;

import org.jspecify.annotations.NullMarked;
