package io.deepsite.client.login;

import java.time.Instant;
import java.util.Optional;

/**
 * What a provider gives for a login.
 *
 * @param ends when the access token does
 */
public record ProviderTokens(
        String accessToken, Optional<String> idToken, Optional<String> refreshToken, Optional<Instant> ends) {
    /** Without what nobody may read. */
    @Override
    public String toString() {
        return "tokens";
    }
}
