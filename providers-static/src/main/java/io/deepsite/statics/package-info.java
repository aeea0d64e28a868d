/**
 * The provider {@code static}: hosts that exist already, listed in an Ansible inventory. It reads, and never makes,
 * changes or deletes a machine. Must not know other providers, plans or state.
 * Start at {@link io.deepsite.statics.StaticProvider}.
 */
@NullMarked
package io.deepsite.statics;

import org.jspecify.annotations.NullMarked;
