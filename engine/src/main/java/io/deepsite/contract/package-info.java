/**
 * What a role guarantees on a host, as data: items, actions, and how an item differs from what a probe observed. Must
 * not know templates, SSH, plans or Ansible. Start at {@link io.deepsite.contract.Contract}; docs/adr/0002-contracts.md
 * is the format.
 */
@NullMarked
package io.deepsite.contract;

import org.jspecify.annotations.NullMarked;
