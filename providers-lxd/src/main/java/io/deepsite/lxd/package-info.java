/**
 * The providers {@code lxd} and {@code incus}: their one REST over a unix socket or https, one class per resource family;
 * what differs between the two is in {@link io.deepsite.lxd.Daemon}, and comments say LXD for both.
 * Must not know plans, state or Ansible.
 * Start at {@link io.deepsite.lxd.LxdProvider}; it works on a {@link io.deepsite.lxd.Snapshot}.
 */
@NullMarked
package io.deepsite.lxd;

import org.jspecify.annotations.NullMarked;
