package io.deepsite.opennebula.oca;

/** A call that did not end as it should. Holds no secret: the session string is in no message. */
public abstract sealed class OneException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String method;

    private OneException(String method, String message, Throwable cause) {
        super(message, cause);
        this.method = method;
    }

    private OneException(String method, String message) {
        super(message);
        this.method = method;
    }

    /** Such as {@code one.vm.allocate}. */
    public String method() {
        return method;
    }

    /** What was said, or what is wrong. */
    public String said() {
        return String.valueOf(getMessage());
    }

    /** OpenNebula understood the call, and said no. */
    public static final class Refused extends OneException {
        private static final long serialVersionUID = 1;
        private final int code;

        Refused(String method, int code, String message) {
            super(method, message);
            this.code = code;
        }

        public int code() {
            return code;
        }

        public ErrorCode kind() {
            return ErrorCode.of(code);
        }
    }

    /** OpenNebula did not understand the call: no such method, or other arguments than it takes. */
    public static final class NotUnderstood extends OneException {
        private static final long serialVersionUID = 1;
        private final int fault;

        NotUnderstood(String method, int fault, String message, Throwable cause) {
            super(method, message, cause);
            this.fault = fault;
        }

        /** -506: no such method; -501: other arguments. */
        public int fault() {
            return fault;
        }
    }

    /** Nobody answered, or the answer broke off. */
    public static final class Unreachable extends OneException {
        private static final long serialVersionUID = 1;

        Unreachable(String method, String message, Throwable cause) {
            super(method, message, cause);
        }
    }

    /** Something answered, but not as OpenNebula does. */
    public static final class Garbled extends OneException {
        private static final long serialVersionUID = 1;

        Garbled(String method, String message) {
            super(method, message);
        }

        Garbled(String method, String message, Throwable cause) {
            super(method, message, cause);
        }
    }
}
