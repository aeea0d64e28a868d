package io.deepsite.service.login;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** With a service and an identity provider for each test. */
abstract class WithLogins {
    @TempDir
    Path folder;

    final TestClock clock = new TestClock();
    IdentityProvider provider;
    LoginService service;
    Browser browser;

    @BeforeEach
    void provider() throws IOException {
        provider = new IdentityProvider();
    }

    @AfterEach
    void end() {
        if (service != null) {
            service.close();
        }
        provider.close();
    }

    LoginSettings settings() {
        return settings(
                provider.issuer(), Optional.of(new SecretReference(Optional.empty(), Optional.of("CLIENT_SECRET"))));
    }

    static LoginSettings settings(String issuer, Optional<SecretReference> secret) {
        return new LoginSettings(
                issuer,
                IdentityProvider.CLIENT,
                secret,
                List.of(),
                "groups",
                "name",
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                false);
    }

    void serve() {
        serve(settings(), LimitSettings.DEFAULT, Optional.empty());
    }

    void serve(LoginSettings settings, LimitSettings limits, Optional<URI> seen) {
        if (service != null) {
            service.close();
        }
        service = new LoginService(folder, clock, Optional.of(settings), false, limits, seen);
        browser = service.browser();
    }
}
