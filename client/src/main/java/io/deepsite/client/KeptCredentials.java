package io.deepsite.client;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The tokens of a login that is kept; a new one when the old one is over. Any thread may call. */
public final class KeptCredentials implements Credentials {
    /** A token is not used in its last moments: the request takes time, and clocks differ. */
    private static final Duration SPARE = Duration.ofSeconds(30);

    private final LoginFile file;
    private final ServiceAddress service;
    private final InstantSource clock;
    private final UnaryOperator<Login> renewing;
    private Login login;

    /**
     * @param renewing asks the provider or the agent for the next token; not called before one is needed
     * @throws Failure NOT_LOGGED_IN
     */
    public KeptCredentials(LoginFile file, ServiceAddress service, InstantSource clock, UnaryOperator<Login> renewing) {
        this.file = file;
        this.service = service;
        this.clock = clock;
        this.renewing = renewing;
        this.login =
                file.find(service).orElseThrow(() -> notLoggedIn(service, "You are not logged in at " + service + "."));
    }

    public Login login() {
        return login;
    }

    @Override
    public synchronized Optional<String> token() {
        if (login.token().isEmpty() || isOver()) {
            login = next(login.token());
        }
        return Optional.of(login.token());
    }

    @Override
    public synchronized Optional<String> after(String refused) {
        if (login.token().equals(refused)) {
            if (login.renewal().isEmpty() && login.agent().isEmpty()) {
                return Optional.empty();
            }
            login = next(refused);
        }
        return Optional.of(login.token()).filter(token -> !token.equals(refused));
    }

    private boolean isOver() {
        return login.ends()
                .filter(end -> !end.isAfter(clock.instant().plus(SPARE)))
                .isPresent();
    }

    private Login next(String old) {
        if (login.agent().isPresent()) {
            // Its tokens are nowhere but with the agent.
            return renewing.apply(login);
        }
        if (login.renewal().isEmpty()) {
            throw notLoggedIn(service, "Your login at " + service + " is over.");
        }
        // Another process may have been quicker.
        return file.changed(service, login, kept -> kept.token().equals(old) ? renewing.apply(kept) : kept);
    }

    private static Failure notLoggedIn(ServiceAddress service, String why) {
        return new Failure(Diagnostic.error(Code.NOT_LOGGED_IN, why, "Log in:", "deepsite login " + service));
    }
}
