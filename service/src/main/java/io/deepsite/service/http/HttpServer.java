package io.deepsite.service.http;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.site.Cidr;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.server.handler.MinimumDataRateHandler;
import org.eclipse.jetty.server.handler.SizeLimitHandler;
import org.eclipse.jetty.server.handler.StatisticsHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Listens, with a virtual thread for each request. Bounds what a client may send, and how slowly. */
public final class HttpServer implements AutoCloseable {
    private static final int HEADER_BYTES = 8 * 1024;
    private static final long BODY_BYTES = 1024 * 1024;
    /** Slower clients are cut off, so that nobody holds many connections with a byte now and then. */
    private static final long BYTES_A_SECOND = 64;

    private static final Duration IDLE = Duration.ofSeconds(30);
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final int WAITING = 256;

    private final Server server;
    private final ServerConnector connector;
    private final StatisticsHandler statistics = new StatisticsHandler();

    /**
     * Takes the address; who connects waits until {@link #start}.
     *
     * @param address with port 0: any that is free
     * @param proxies where a proxy before the service says where a request came from: those that it passed before
     * @throws Failure NOT_SERVED
     */
    public HttpServer(InetSocketAddress address, Optional<List<Cidr>> proxies) {
        this(address, proxies, IDLE);
    }

    /** @param idle after which a connection on which nothing comes ends */
    HttpServer(InetSocketAddress address, Optional<List<Cidr>> proxies, Duration idle) {
        var threads = new QueuedThreadPool();
        threads.setName("http");
        threads.setVirtualThreadsExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server = new Server(threads);
        connector = new ServerConnector(server, new HttpConnectionFactory(configuration(proxies)));
        connector.setHost(address.getHostString());
        connector.setPort(address.getPort());
        connector.setIdleTimeout(idle.toMillis());
        connector.setAcceptQueueSize(WAITING);
        server.addConnector(connector);
        server.setErrorHandler(HttpServer::unreadable);
        server.setStopTimeout(GRACE.toMillis());
        try {
            connector.open();
        } catch (IOException e) {
            throw notServed(e);
        }
    }

    private static HttpConfiguration configuration(Optional<List<Cidr>> proxies) {
        var http = new HttpConfiguration();
        http.setSendServerVersion(false);
        http.setRequestHeaderSize(HEADER_BYTES);
        http.setHttpCompliance(HttpCompliance.STRICT);
        http.setUriCompliance(UriCompliance.RFC3986);
        proxies.ifPresent(known -> http.addCustomizer(new ForwardedFor(known)));
        return http;
    }

    /** What fails before there is an endpoint: headers without end, two lengths, a path that hides another one. */
    private static boolean unreadable(Request request, Response response, Callback callback) {
        var title = response.getStatus() == HttpStatus.PAYLOAD_TOO_LARGE_413
                ? "the request is larger than " + BODY_BYTES / 1024 + " KiB"
                : "the request cannot be read";
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/problem+json");
        response.write(
                true,
                StandardCharsets.UTF_8.encode(
                        "{\"title\":\"" + title + "\",\"status\":" + response.getStatus() + "}\n"),
                callback);
        return true;
    }

    /** Before it begins to answer. */
    public void log(AccessLog log) {
        server.setRequestLog(log);
    }

    /**
     * Begins to answer.
     *
     * @param seen the address by which browsers see the service
     */
    public void start(URI seen, Handler handler) {
        var sized = new SizeLimitHandler(BODY_BYTES, -1);
        sized.setHandler(new Headers(seen.getScheme().equals("https"), handler));
        statistics.setHandler(new MinimumDataRateHandler(sized, BYTES_A_SECOND, 0));
        server.setHandler(new GracefulHandler(statistics));
        try {
            server.start();
        } catch (Exception e) {
            throw notServed(e);
        }
    }

    private Failure notServed(Exception e) {
        return new Failure(
                Diagnostic.error(
                        Code.NOT_SERVED,
                        "It cannot listen on " + connector.getHost() + ":" + connector.getPort() + ": "
                                + (e.getCause() == null ? e : e.getCause()).getMessage() + ".",
                        "End the other program there, or choose another address: listen of service.yaml."),
                e);
    }

    /** How many requests were answered, by the class of the answer's status: 2xx. */
    public SortedMap<String, Integer> answered() {
        return new TreeMap<>(Map.of(
                "2xx", statistics.getResponses2xx(),
                "3xx", statistics.getResponses3xx(),
                "4xx", statistics.getResponses4xx(),
                "5xx", statistics.getResponses5xx()));
    }

    /** That it listens on, where any was asked for. */
    public int port() {
        return connector.getLocalPort();
    }

    /** Answers what was asked already, then ends. */
    @Override
    public void close() {
        try {
            connector.close();
            server.stop();
        } catch (Exception e) {
            throw new IllegalStateException("the HTTP server does not stop", e);
        }
    }

    /** Headers of every answer. */
    private static final class Headers extends Handler.Wrapper {
        private static final String POLICY = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self';"
                + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

        private final boolean https;

        Headers(boolean https, Handler handler) {
            super(handler);
            this.https = https;
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            var id = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
            request.setAttribute(RequestNotes.ID, id);
            var headers = response.getHeaders();
            headers.put("X-Request-Id", id);
            headers.put("Content-Security-Policy", POLICY);
            headers.put("X-Content-Type-Options", "nosniff");
            // With no-referrer, browsers hide the origin of the service's own forms, too.
            headers.put("Referrer-Policy", "same-origin");
            headers.put("Cross-Origin-Opener-Policy", "same-origin");
            headers.put("Cross-Origin-Resource-Policy", "same-origin");
            headers.put("Cache-Control", "no-store");
            if (https) {
                headers.put("Strict-Transport-Security", "max-age=31536000");
            }
            return super.handle(request, response, callback);
        }
    }
}
