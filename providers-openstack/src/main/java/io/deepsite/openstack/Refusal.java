package io.deepsite.openstack;

/** A service refused a request. Becomes a diagnostic in {@link Faults}. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String request;
    private final String requestId;

    /**
     * @param request method and URL without the query, such as {@code POST https://nova.example:8774/v2.1/servers}
     * @param requestId the cloud's id of the request; empty if it gave none
     * @param error the service's words, never a secret
     */
    Refusal(int status, String request, String requestId, String error) {
        super(error);
        this.status = status;
        this.request = request;
        this.requestId = requestId;
    }

    /** @return false when the thing that the call is about is not there */
    static boolean found(Runnable call) {
        try {
            call.run();
            return true;
        } catch (Refusal refusal) {
            if (refusal.isNotFound()) {
                return false;
            }
            throw refusal;
        }
    }

    int status() {
        return status;
    }

    String request() {
        return request;
    }

    String requestId() {
        return requestId;
    }

    String error() {
        return String.valueOf(getMessage());
    }

    boolean isNotFound() {
        return status == 404;
    }

    boolean isConflict() {
        return status == 409;
    }

    /** The answer and the request, for messages. */
    String told() {
        return "OpenStack answered " + status + " to " + request
                + (requestId.isEmpty() ? "" : " (request id " + requestId + ")") + ": "
                + (error().endsWith(".") ? error() : error() + ".");
    }
}
