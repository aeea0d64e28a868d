/**
 * Logins by OpenID Connect, sessions of browsers, tokens of programs, and what each request passes before its endpoint.
 * Knows nothing of sites.
 * Start at {@link io.deepsite.service.login.Logins}.
 */
@NullMarked
package io.deepsite.service.login;

import org.jspecify.annotations.NullMarked;
