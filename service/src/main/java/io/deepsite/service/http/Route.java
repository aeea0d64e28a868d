package io.deepsite.service.http;

/**
 * What answers one method of one path.
 *
 * @param path a URI template: {@code /v1/sites/{site}}
 */
public record Route(String method, String path, Endpoint endpoint) {

    /** Answers a request; runs in a virtual thread of its own, so it may block. */
    @FunctionalInterface
    public interface Endpoint {
        /**
         * @throws io.deepsite.diag.Failure answered as a problem
         * @throws Exception answered as an internal fault, which is logged
         */
        void answer(Exchange exchange) throws Exception;
    }

    public static Route get(String path, Endpoint endpoint) {
        return new Route("GET", path, endpoint);
    }

    public static Route post(String path, Endpoint endpoint) {
        return new Route("POST", path, endpoint);
    }
}
