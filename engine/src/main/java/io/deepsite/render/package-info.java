/**
 * Templates in a closed subset of Jinja, and the contracts of roles rendered from them, host by host. Must not know
 * Ansible, SSH, plans or clusters. Start at {@link io.deepsite.render.ContractRenderer}; {@link
 * io.deepsite.render.TemplateRules} lists what is refused.
 */
@NullMarked
package io.deepsite.render;

import org.jspecify.annotations.NullMarked;
