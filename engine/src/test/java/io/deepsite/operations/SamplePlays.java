package io.deepsite.operations;

import io.deepsite.ansible.FakeAnsible;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** A program in place of ansible-playbook: every play succeeds and does nothing. */
final class SamplePlays {
    private SamplePlays() {}

    /** @param folder first on the PATH of the operations */
    static void install(Path folder) {
        try {
            FakeAnsible.PASSING.write(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
