package io.deepsite.service.http;

import io.deepsite.diag.Failure;
import java.io.IOException;

/** Answers a request that failed, in the form that its client reads. */
@FunctionalInterface
public interface ProblemWriter {
    void write(Exchange exchange, Failure failure) throws IOException;
}
