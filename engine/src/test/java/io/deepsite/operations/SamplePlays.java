package io.deepsite.operations;

import io.deepsite.remote.Executable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A program in place of ansible-playbook: every play succeeds and does nothing. */
final class SamplePlays {
    private SamplePlays() {}

    /** @param folder first on the PATH of the operations */
    static void install(Path folder) {
        try {
            Files.createDirectories(folder);
            Executable.write(folder.resolve("ansible-playbook"), """
                    #!/bin/sh
                    [ "$1" != --version ] || { echo 'ansible-playbook [core 2.14.3]'; exit 0; }
                    for host in $(echo "$3" | tr , ' '); do
                        all="$all${all:+,}\\"$host\\":{\\"failures\\":0,\\"unreachable\\":0}"
                    done
                    echo '{"event":"stats","hosts":{'$all'}}' >>"$DEEPSITE_EVENTS"
                    """);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
