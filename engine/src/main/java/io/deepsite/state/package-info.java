/**
 * What deepsite remembers of a site between runs: recorded state, journal, lock, secrets and the folders of past runs.
 * Must not know how anything is made, planned or shown: only diagnostics are below it. Start at {@link
 * io.deepsite.state.StateFolder}, then {@link io.deepsite.state.SiteState}.
 */
@NullMarked
package io.deepsite.state;

import org.jspecify.annotations.NullMarked;
