/**
 * The model of a site: records and sealed interfaces, valid by construction, defaults filled.
 * Must not know YAML, what a provider does, or Ansible.
 * Start at {@link io.deepsite.site.Site}; {@link io.deepsite.site.Key} carries what schema and explain print.
 */
@NullMarked
package io.deepsite.site;

import org.jspecify.annotations.NullMarked;
