package io.deepsite.service.login;

import io.deepsite.service.http.Exchange;
import java.net.URI;
import java.util.Optional;
import org.eclipse.jetty.http.HttpCookie;

/**
 * The two cookies of the service. Scripts cannot read them, other sites' pages cannot send them but by a link, and over
 * https no other host of the same domain can set them (the name's beginning asks for that).
 */
final class BrowserCookies {
    private static final String HOST = "__Host-";

    private final boolean secure;
    private final String session;
    private final String login;

    BrowserCookies(URI seen) {
        this.secure = seen.getScheme().equals("https");
        this.session = (secure ? HOST : "") + "deepsite-session";
        this.login = (secure ? HOST : "") + "deepsite-login";
    }

    Optional<String> session(Exchange exchange) {
        return exchange.cookie(session);
    }

    void setSession(Exchange exchange, String token) {
        exchange.addCookie(cookie(session, token, -1));
    }

    void endSession(Exchange exchange) {
        exchange.addCookie(cookie(session, "", 0));
    }

    /** By which a login's answer is known to come from the browser that began it; several may be on their way. */
    Optional<String> login(Exchange exchange) {
        return exchange.cookie(login).filter(OpaqueToken::hasForm);
    }

    void setLogin(Exchange exchange, String token) {
        exchange.addCookie(cookie(login, token, PendingLogins.LONGEST.toSeconds()));
    }

    /** @param seconds that the browser keeps it; -1 for until it ends */
    private HttpCookie cookie(String name, String value, long seconds) {
        return HttpCookie.build(name, value)
                .path("/")
                .httpOnly(true)
                .secure(secure)
                .sameSite(HttpCookie.SameSite.LAX)
                .maxAge(seconds)
                .build();
    }
}
