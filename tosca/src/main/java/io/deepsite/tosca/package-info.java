/**
 * Makes a site.yaml of a TOSCA template: machines and clusters as the templates of the DEEP and INDIGO projects describe
 * them. Nothing of a template is run. Start at {@link io.deepsite.tosca.ToscaImport}.
 */
@NullMarked
package io.deepsite.tosca;

import org.jspecify.annotations.NullMarked;
