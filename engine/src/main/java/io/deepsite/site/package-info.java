/**
 * The model of a site: records, valid by construction, defaults filled; and what clusters and settings of providers answer.
 * Must not know YAML, a kind, a provider, or Ansible.
 * Start at {@link io.deepsite.site.Site}; {@link io.deepsite.site.Key} carries what schema and explain print.
 */
@NullMarked
package io.deepsite.site;

import org.jspecify.annotations.NullMarked;
