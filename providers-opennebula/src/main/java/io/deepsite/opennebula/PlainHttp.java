package io.deepsite.opennebula;

import java.net.URI;
import org.jspecify.annotations.Nullable;

/** An endpoint that gets a password with each call, on http without TLS: worth a warning unless it is this very host. */
public final class PlainHttp {
    public static final String FIX =
            "Put TLS before it (an nginx or haproxy on the front-end) and write https, or reach it through a tunnel:"
                    + " ssh -L 2633:localhost:2633 front-end.";

    private PlainHttp() {}

    /** The password would travel unprotected to another host. */
    public static boolean travels(String endpoint) {
        var uri = URI.create(endpoint);
        return "http".equalsIgnoreCase(uri.getScheme()) && !isThisHost(uri.getHost());
    }

    /** By its literal form: a name is not looked up for this. */
    public static boolean isThisHost(@Nullable String host) {
        return host != null
                && (host.equalsIgnoreCase("localhost")
                        || host.matches("127(\\.[0-9]{1,3}){3}")
                        || host.equals("[::1]")
                        || host.equals("::1"));
    }

    public static String why(String endpoint) {
        return "Each call to " + endpoint
                + " carries the user's password, and plain http shows it to everybody on the way.";
    }
}
