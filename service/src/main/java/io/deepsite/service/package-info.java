/**
 * {@code deepsite serve}: sites on demand for people who never see a site.yaml. Nothing depends on this module but the command
 * that starts it.
 * Start at {@link io.deepsite.service.Service}.
 */
@NullMarked
package io.deepsite.service;

import org.jspecify.annotations.NullMarked;
