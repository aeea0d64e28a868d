/**
 * The provider {@code lxd}: LXD's REST over a unix socket or https, one class per resource family.
 * Must not know plans, state or Ansible.
 * Start at {@link io.deepsite.lxd.LxdProvider}; it works on a {@link io.deepsite.lxd.Snapshot}.
 */
@NullMarked
package io.deepsite.lxd;

import org.jspecify.annotations.NullMarked;
