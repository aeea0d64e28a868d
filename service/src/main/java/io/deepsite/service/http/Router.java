package io.deepsite.service.http;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.pathmap.PathMappings;
import org.eclipse.jetty.http.pathmap.UriTemplatePathSpec;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** Gives each request to the endpoint of its method and path, and answers what fails as a problem. */
public final class Router extends Handler.Abstract {
    private static final Logger LOG = System.getLogger(Router.class.getName());

    private final PathMappings<Map<String, Route.Endpoint>> paths = new PathMappings<>();
    private final ProblemWriter problems;

    /** What a request passes before its endpoint; it throws a {@link Failure} to refuse the request. */
    @FunctionalInterface
    public interface Guard {
        void admit(Exchange exchange) throws IOException;
    }

    private final Guard guard;

    public Router(List<Route> routes, Guard guard, ProblemWriter problems) {
        this.guard = guard;
        this.problems = problems;
        var byPath = new TreeMap<String, Map<String, Route.Endpoint>>();
        routes.forEach(route -> byPath.computeIfAbsent(route.path(), _ -> new TreeMap<>())
                .merge(route.method(), route.endpoint(), (_, _) -> {
                    throw new IllegalArgumentException("two routes for " + route.method() + " " + route.path());
                }));
        byPath.forEach((path, methods) -> paths.put(new UriTemplatePathSpec(path), methods));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        var matched = paths.getMatched(Request.getPathInContext(request));
        var parameters = matched == null
                ? Map.<String, String>of()
                : ((UriTemplatePathSpec) matched.getPathSpec()).getPathParams(Request.getPathInContext(request));
        if (matched != null) {
            request.setAttribute(RequestNotes.ROUTE, matched.getPathSpec().getDeclaration());
            request.setAttribute(RequestNotes.PARAMETERS, parameters);
        }
        var exchange = new Exchange(request, response, parameters);
        try {
            answer(exchange, matched == null ? Map.of() : matched.getResource());
            callback.succeeded();
        } catch (IOException e) {
            // The client has gone, or is too slow: there is nobody to tell.
            callback.failed(e);
        }
        return true;
    }

    private void answer(Exchange exchange, Map<String, Route.Endpoint> methods) throws IOException {
        try {
            guard.admit(exchange);
            var method = exchange.method().equals("HEAD") ? "GET" : exchange.method();
            var endpoint = methods.get(method);
            if (methods.isEmpty()) {
                throw new Failure(Diagnostic.error(
                        Code.NOT_FOUND, "There is nothing at " + exchange.path() + ".", "Look at /v1/openapi.json."));
            }
            if (endpoint == null) {
                exchange.header("Allow", String.join(", ", methods.keySet()));
                throw new Failure(Diagnostic.error(
                        Code.REQUEST,
                        exchange.path() + " does not take " + exchange.method() + ".",
                        "It takes " + String.join(", ", methods.keySet()) + "."));
            }
            endpoint.answer(exchange);
        } catch (Failure e) {
            problems.write(exchange, e);
        } catch (IOException e) {
            throw e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the service ends", e);
        } catch (Exception e) {
            if (e instanceof HttpException fault && fault.getCode() < 500) {
                problems.write(exchange, unreadable(fault));
                return;
            }
            LOG.log(Level.ERROR, exchange.method() + " " + exchange.path() + " failed, request " + exchange.id(), e);
            problems.write(
                    exchange,
                    new Failure(
                            Diagnostic.error(
                                    Code.INTERNAL,
                                    "The service met a fault of its own; its log has the details.",
                                    "Tell its administrator when it happened."),
                            e));
        }
    }

    private static Failure unreadable(HttpException e) {
        return new Failure(Diagnostic.error(
                Code.REQUEST, "The request cannot be read: " + e.getReason() + ".", "Send less, or correct it."));
    }
}
