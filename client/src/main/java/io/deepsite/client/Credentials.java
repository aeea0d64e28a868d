package io.deepsite.client;

import java.util.Optional;

/** What a request sends to say for whom it is. */
public interface Credentials {
    /** For what needs no login. */
    Credentials NONE = new Credentials() {
        @Override
        public Optional<String> token() {
            return Optional.empty();
        }

        @Override
        public Optional<String> after(String refused) {
            return Optional.empty();
        }
    };

    /** One token, as it is. */
    static Credentials of(String token) {
        return new Credentials() {
            @Override
            public Optional<String> token() {
                return Optional.of(token);
            }

            @Override
            public Optional<String> after(String refused) {
                return Optional.empty();
            }
        };
    }

    Optional<String> token();

    /** Another token, once the service has refused this one; empty: there is none. */
    Optional<String> after(String refused);
}
