package io.deepsite.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;

/**
 * The last runs on a site: resolved plan, events, Ansible's logs. Each implementation passes {@code RunsContractTest}.
 */
public interface Runs {
    int KEPT = 20;

    /**
     * @param id its time in UTC, to the second: ids sort by age
     * @param folder where it works on the machine that runs it
     */
    record Run(String id, Path folder) {

        /** Creates an empty file in the folder, readable by its owner only. */
        public Path make(String name) {
            var file = folder.resolve(name);
            try {
                return Files.createFile(file, PosixFilePermissions.asFileAttribute(AtomicFile.OWNER_ONLY));
            } catch (IOException e) {
                throw AtomicFile.notWritten(file, e);
            }
        }
    }

    /** Keeps lines as they come. Any thread may call. */
    interface Lines extends AutoCloseable {
        /** @throws io.deepsite.diag.Failure STATE_NOT_WRITTEN */
        void add(String line);

        /** @throws io.deepsite.diag.Failure STATE_NOT_WRITTEN */
        @Override
        void close();
    }

    /** Creates a new run with its folder, and deletes the oldest beyond {@link #KEPT}. */
    Run begin(Instant at);

    /** Oldest first. */
    List<Run> all();

    /** For the events of a run, one JSON object per line, which others can read while it goes on. */
    Lines events(Run run);

    /** The events so far. */
    List<String> eventsOf(Run run);

    /** Keeps the logs that the run left in its folder, for those who cannot read that. */
    void keep(Run run);

    /** Texts by file name. */
    SortedMap<String, String> logs(Run run);
}
