package io.deepsite.cluster.mesos;

import io.deepsite.diag.Failure;
import io.deepsite.site.load.DocumentLoader;
import java.nio.file.Path;

/** Reads a description of work for a Mesos cluster, and reports all its faults in one run. */
public final class WorkLoader {
    private static final DocumentLoader<Work> LOADER =
            new DocumentLoader<>(Work.class, "work", "name: demo", "docs/guides/mesos.md has examples.");

    private WorkLoader() {}

    /** The framework that gets the work. */
    public enum Framework {
        MARATHON,
        CHRONOS
    }

    /**
     * @param file as the user typed it; diagnostics show it unchanged
     * @throws Failure with all faults of the file
     */
    public static Work load(Path file, Framework framework) {
        return LOADER.load(file, checks(framework));
    }

    /**
     * Reads a text that is not on disk.
     *
     * @param file the name that diagnostics show
     * @throws Failure with all faults of the text
     */
    public static Work load(String file, String text, Framework framework) {
        return LOADER.load(file, text, checks(framework));
    }

    private static DocumentLoader.Check<Work> checks(Framework framework) {
        return (places, findings, work) -> new WorkChecks(places, findings, work).run(framework);
    }
}
