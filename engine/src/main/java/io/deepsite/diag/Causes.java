package io.deepsite.diag;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The causes of an exception. For a host name with several addresses OkHttp throws the exception of the first attempt
 * that failed and attaches the others as suppressed, so the informative one may be among these.
 */
public final class Causes {
    private Causes() {}

    /** The exception, its causes, then the same for everything suppressed. */
    public static Stream<Throwable> of(Throwable fault) {
        var chain = Stream.iterate(fault, cause -> cause != null, Throwable::getCause)
                .toList();
        return Stream.concat(
                chain.stream(),
                chain.stream()
                        .flatMap(cause -> Arrays.stream(cause.getSuppressed()))
                        .flatMap(Causes::of));
    }

    /** The root cause, ignoring suppressed exceptions. */
    public static Throwable deepest(Throwable fault) {
        var cause = fault.getCause();
        return cause == null ? fault : deepest(cause);
    }
}
