package io.deepsite.opennebula.oca;

/** A failed call. Holds no secret: no message contains the session string. */
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

    /** OpenNebula's message, or what is wrong with the reply. */
    public String said() {
        return String.valueOf(getMessage());
    }

    /** OpenNebula refused the call. */
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

    /** OpenNebula did not understand the call: no such method, or wrong arguments. */
    public static final class NotUnderstood extends OneException {
        private static final long serialVersionUID = 1;
        private final int fault;

        NotUnderstood(String method, int fault, String message, Throwable cause) {
            super(method, message, cause);
            this.fault = fault;
        }

        /** -506: no such method; -501: wrong arguments. */
        public int fault() {
            return fault;
        }
    }

    /** No answer, or an incomplete one. */
    public static final class Unreachable extends OneException {
        private static final long serialVersionUID = 1;

        Unreachable(String method, String message, Throwable cause) {
            super(method, message, cause);
        }
    }

    /** The answer is not in OpenNebula's format. */
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
