package io.deepsite.client;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Set;

/** Where a service is. Tokens go there, so the way has to be encrypted, except within this machine. */
public record ServiceAddress(URI origin) {
    private static final Set<String> HERE = Set.of("localhost", "127.0.0.1", "[::1]");

    /** @throws Failure SERVICE_ADDRESS */
    public static ServiceAddress parse(String text) {
        URI uri;
        try {
            uri = new URI(text.strip());
        } catch (URISyntaxException e) {
            throw refused(text, "It is no URL.");
        }
        if (uri.getScheme() == null || uri.getHost() == null || uri.getRawUserInfo() != null) {
            throw refused(text, "It is no URL of a server.");
        }
        var path = uri.getRawPath();
        if (!(path.isEmpty() || path.equals("/")) || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw refused(text, "A service has an address without a path.");
        }
        var scheme = uri.getScheme().toLowerCase(Locale.ROOT);
        var host = uri.getHost().toLowerCase(Locale.ROOT);
        if (!keepsSecrets(uri)) {
            throw refused(text, "Only https keeps a login secret on its way; http is for a service on this machine.");
        }
        return new ServiceAddress(URI.create(scheme + "://" + host + (uri.getPort() < 0 ? "" : ":" + uri.getPort())));
    }

    /** Whether what is sent there is read by nobody on the way. */
    public static boolean keepsSecrets(URI address) {
        var scheme = address.getScheme() == null ? "" : address.getScheme().toLowerCase(Locale.ROOT);
        var host = address.getHost() == null ? "" : address.getHost().toLowerCase(Locale.ROOT);
        return scheme.equals("https") || (scheme.equals("http") && HERE.contains(host));
    }

    private static Failure refused(String text, String why) {
        return new Failure(Diagnostic.error(
                Code.SERVICE_ADDRESS, "\"" + text + "\": " + why, "Write it like https://clusters.example.org."));
    }

    @Override
    public String toString() {
        return origin.toString();
    }
}
