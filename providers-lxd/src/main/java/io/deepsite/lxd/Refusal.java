package io.deepsite.lxd;

/** LXD refused a request, or an operation failed. {@link Faults} turns it into a diagnostic. */
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

    /** A copy with one sentence on what is on the back-end now, from a caller that knows it. */
    Refusal leaving(String what) {
        var copy = new Refusal(status, request, error(), what);
        copy.initCause(this);
        return copy;
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

    /** LXD's error message. */
    String error() {
        return String.valueOf(getMessage());
    }

    /**
     * A transient fault of the daemon. Seen on LXD 5.0.2 while a dozen machines were made and deleted at once: copying an
     * image or shifting a root file system failed with EBADF, and the helper that writes files into a stopped machine was
     * asked before its socket forkfile.sock was there.
     */
    boolean isOwnFault() {
        return isOwnFault(error());
    }

    static boolean isOwnFault(String error) {
        return error.contains("bad file descriptor")
                || error.contains("Failed to change ownership of")
                || error.contains("forkfile.sock");
    }

    boolean isNotFound() {
        return status == 404;
    }
}
