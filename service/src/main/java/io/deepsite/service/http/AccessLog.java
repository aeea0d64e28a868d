package io.deepsite.service.http;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.RequestLog;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * One line of JSON for each request. It has the pattern of the route with the values of its parameters, not what the client
 * sent: a path that has no route, a query, headers and cookies may hold secrets.
 */
public final class AccessLog implements RequestLog, AutoCloseable {
    private static final Logger LOG = System.getLogger(AccessLog.class.getName());
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String STDERR = "stderr";

    private final OutputStream out;

    private AccessLog(OutputStream out) {
        this.out = out;
    }

    /**
     * @param where a file, which is appended to (logrotate's copytruncate fits), or {@code stderr}
     * @throws Failure NOT_SERVED
     */
    public static AccessLog to(String where) {
        if (where.equals(STDERR)) {
            return new AccessLog(new FilterOutputStream(System.err) {
                @Override
                public void write(byte[] line) throws IOException {
                    out.write(line);
                }

                @Override
                public void close() throws IOException {
                    flush();
                }
            });
        }
        try {
            return new AccessLog(
                    Files.newOutputStream(Path.of(where), StandardOpenOption.CREATE, StandardOpenOption.APPEND));
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.NOT_SERVED,
                            "The access log " + where + " cannot be written: " + FileFault.words(e) + ".",
                            "Name another file, or stderr: accessLog of service.yaml."),
                    e);
        }
    }

    @Override
    public void log(Request request, Response response) {
        var line = new LinkedHashMap<String, Object>();
        line.put("at", Instant.now().toString());
        line.put("request", noted(request, RequestNotes.ID));
        line.put("from", Request.getRemoteAddr(request));
        line.put("person", noted(request, RequestNotes.PERSON));
        line.put("method", RequestNotes.method(request));
        line.put("route", noted(request, RequestNotes.ROUTE));
        // Of a request that failed they may be anything.
        if (response.getStatus() < 400
                && request.getAttribute(RequestNotes.PARAMETERS) instanceof Map<?, ?> parameters
                && !parameters.isEmpty()) {
            line.put("parameters", parameters);
        }
        line.put("status", response.getStatus());
        line.put("bytes", Response.getContentBytesWritten(response));
        line.put("ms", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - request.getBeginNanoTime()));
        write((JSON.writeValueAsString(line) + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private static @Nullable Object noted(Request request, String name) {
        return request.getAttribute(name);
    }

    private synchronized void write(byte[] line) {
        try {
            out.write(line);
            out.flush();
        } catch (IOException e) {
            LOG.log(Level.WARNING, "the access log cannot be written: " + FileFault.words(e));
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
