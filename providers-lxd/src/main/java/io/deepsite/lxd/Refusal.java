package io.deepsite.lxd;

/** LXD answered, and said no: to a request, or at the end of an operation. Becomes a diagnostic in {@link Faults}. */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final String request;
    private final String left;

    /** @param request method and path, such as {@code PUT /1.0/instances/head/state} */
    Refusal(int status, String request, String error) {
        this(status, request, error, Faults.NOTHING_CHANGED);
    }

    private Refusal(int status, String request, String error, String left) {
        super(error);
        this.status = status;
        this.request = request;
        this.left = left;
    }

    /** The same, from a caller that knows what is on the back-end now: one sentence, for whoever tells it in the end. */
    Refusal leaving(String what) {
        var told = new Refusal(status, request, error(), what);
        told.initCause(this);
        return told;
    }

    int status() {
        return status;
    }

    String request() {
        return request;
    }

    /** One sentence on what is on the back-end now. */
    String left() {
        return left;
    }

    /** What LXD said. */
    String error() {
        return String.valueOf(getMessage());
    }

    /**
     * A fault of the daemon that the next try does not meet. Seen on LXD 5.0.2 while a dozen machines were made and deleted
     * at once: copying an image or shifting a root file system ended with EBADF.
     */
    boolean isOwnFault() {
        return isOwnFault(error());
    }

    static boolean isOwnFault(String error) {
        return error.contains("bad file descriptor") || error.contains("Failed to change ownership of");
    }

    boolean isNotFound() {
        return status == 404;
    }
}
