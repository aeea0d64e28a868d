package io.deepsite.diag;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * What led to a fault. A host name may have several addresses; when each is tried in vain, OkHttp throws the fault of the
 * first one that ended and keeps those of the others as suppressed, so the telling one may be among these.
 */
public final class Causes {
    private Causes() {}

    /** The fault, what caused it, then the same of everything that was suppressed for it. */
    public static Stream<Throwable> of(Throwable fault) {
        var chain = Stream.iterate(fault, cause -> cause != null, Throwable::getCause)
                .toList();
        return Stream.concat(
                chain.stream(),
                chain.stream()
                        .flatMap(cause -> Arrays.stream(cause.getSuppressed()))
                        .flatMap(Causes::of));
    }

    /** The first cause of all, suppressed ones left out. */
    public static Throwable deepest(Throwable fault) {
        var cause = fault.getCause();
        return cause == null ? fault : deepest(cause);
    }
}
