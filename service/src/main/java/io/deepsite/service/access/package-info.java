/**
 * Who somebody is, and what they may do in which project. Knows neither HTTP nor how people log in.
 * Start at {@link io.deepsite.service.access.Access}.
 */
@NullMarked
package io.deepsite.service.access;

import org.jspecify.annotations.NullMarked;
