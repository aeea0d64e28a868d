package io.deepsite.client;

import java.time.Instant;
import java.util.Optional;

/**
 * A login at a service, as it is kept.
 *
 * @param name of the person, as the service says it
 * @param token what requests send; empty for an agent, which is asked each time
 * @param ends when the token does; empty: it does not say
 * @param renewal how to get the next token; empty: by a login
 * @param agent who has the tokens; empty: they are here
 * @param caFile certificate of the authority of service and provider, if it is not a public one
 */
public record Login(
        String name,
        String token,
        Optional<Instant> ends,
        Optional<Renewal> renewal,
        Optional<Agent> agent,
        Optional<String> caFile) {

    /**
     * @param idToken whether requests send the ID token, because the service does not accept this provider's access tokens
     */
    public record Renewal(String issuer, String clientId, String refreshToken, boolean idToken) {
        /** Without what nobody may read. */
        @Override
        public String toString() {
            return "renewal by " + clientId + " at " + issuer;
        }
    }

    /**
     * @param account of oidc-agent, or its issuer
     * @param audience whom its tokens have to be made for
     */
    public record Agent(String account, String audience, boolean idToken) {}

    public Login with(String fresh, Optional<Instant> until, Renewal next) {
        return new Login(name, fresh, until, Optional.of(next), agent, caFile);
    }

    /** Without what nobody may read. */
    @Override
    public String toString() {
        return "login of " + name;
    }
}
