/**
 * The SPI of a back-end: resources it can survey, compile, create, update and delete; ownership; capabilities.
 * Must not know HTTP, vendors, plans or state.
 * Start at {@link io.deepsite.provider.Provider}.
 */
@NullMarked
package io.deepsite.provider;

import org.jspecify.annotations.NullMarked;
