package io.deepsite.postgresql;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which database, as libpq writes it: {@code postgresql://user@host:port/database?sslmode=verify-full}.
 *
 * @param options of the connection, by libpq's names
 */
record DatabaseUrl(String host, int port, String database, String user, SortedMap<String, String> options) {
    static final String SCHEME = "postgresql";

    private static final int USUAL_PORT = 5432;
    private static final List<String> OPTIONS = List.of("sslcert", "sslkey", "sslmode", "sslrootcert");

    /**
     * @param environment has the user in {@code PGUSER} where the URL names none
     * @throws Failure STORE_UNKNOWN
     */
    static DatabaseUrl parse(String text, Map<String, String> environment) {
        URI url;
        try {
            url = new URI(text);
        } catch (URISyntaxException e) {
            // Without the text: it may hold a password.
            throw refused("It is no URL: " + e.getReason() + ".");
        }
        var user = url.getUserInfo() == null ? "" : url.getUserInfo();
        if (user.contains(":")) {
            throw refused("It holds a password, which other users of this machine can read in the list of processes.");
        }
        if (url.getHost() == null || url.getPath() == null || url.getPath().length() < 2) {
            throw refused("It names no host or no database.");
        }
        var options = new TreeMap<String, String>();
        for (var option :
                url.getRawQuery() == null ? new String[0] : url.getRawQuery().split("&")) {
            var pair = option.split("=", 2);
            if (pair.length < 2 || !OPTIONS.contains(pair[0])) {
                throw refused("\"" + pair[0] + "\" is no option of it; there are: " + String.join(", ", OPTIONS) + ".");
            }
            options.put(pair[0], URLDecoder.decode(pair[1], StandardCharsets.UTF_8));
        }
        if (!isLoopback(url.getHost())) {
            // Secrets of sites are encrypted in it; the rest, and the password, would be readable on the way.
            options.putIfAbsent("sslmode", "verify-full");
        }
        return new DatabaseUrl(
                url.getHost(),
                url.getPort() < 0 ? USUAL_PORT : url.getPort(),
                url.getPath().substring(1),
                user.isEmpty() ? environment.getOrDefault("PGUSER", System.getProperty("user.name", "")) : user,
                options);
    }

    /** For the driver. */
    String jdbc() {
        return "jdbc:postgresql://" + host + ":" + port + "/" + database;
    }

    /** For the driver, which reads the password in ~/.pgpass itself. */
    Properties properties(Map<String, String> environment) {
        var properties = new Properties();
        properties.put("user", user);
        properties.put("ApplicationName", "deepsite");
        properties.put("currentSchema", Database.SCHEMA);
        properties.put("connectTimeout", "5");
        // A connection that a firewall dropped must not hang for hours.
        properties.put("tcpKeepAlive", "true");
        properties.put("socketTimeout", "30");
        properties.putAll(options);
        var password = environment.getOrDefault("PGPASSWORD", "");
        if (!password.isEmpty()) {
            properties.put("password", password);
        }
        return properties;
    }

    private static boolean isLoopback(String host) {
        return host.equals("localhost") || host.startsWith("127.") || host.equals("[::1]");
    }

    private static Failure refused(String why) {
        return new Failure(Diagnostic.error(
                Code.STORE_UNKNOWN,
                "The URL of the database of records: " + why,
                "Write postgresql://USER@HOST/DATABASE; the password comes from PGPASSWORD or from ~/.pgpass."));
    }

    /** Without user and options. */
    @Override
    public String toString() {
        return SCHEME + "://" + host + (port == USUAL_PORT ? "" : ":" + port) + "/" + database;
    }
}
