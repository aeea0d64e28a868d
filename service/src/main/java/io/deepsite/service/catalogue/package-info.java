/**
 * What users may order: site.yaml files with parameters, and what each order counts for.
 * Start at {@link io.deepsite.service.catalogue.Catalogue}.
 */
@NullMarked
package io.deepsite.service.catalogue;

import org.jspecify.annotations.NullMarked;
