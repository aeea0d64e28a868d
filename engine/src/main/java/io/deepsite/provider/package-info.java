/**
 * The SPI of a provider, and of its back-end: resources it can survey, compile, create, update and delete; ownership.
 * Must not know HTTP, vendors, plans or state.
 * Start at {@link io.deepsite.provider.ProviderFactory} and {@link io.deepsite.provider.Provider}.
 */
@NullMarked
package io.deepsite.provider;

import org.jspecify.annotations.NullMarked;
