package io.deepsite.provider;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.time.Duration;

/** Lets time pass between two looks; tests let none pass. */
public interface Pause {
    /** @throws Failure CANCELLED when the thread is interrupted */
    void of(Duration duration);

    Pause REAL = duration -> {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(Diagnostic.error(Code.CANCELLED, "Waiting for the back-end was interrupted.", ""), e);
        }
    };
}
