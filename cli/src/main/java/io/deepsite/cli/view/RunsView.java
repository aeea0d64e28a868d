package io.deepsite.cli.view;

import io.deepsite.state.Runs;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;

/** The logs of the last runs. */
public final class RunsView {
    private RunsView() {}

    /** The newest last. */
    public static String text(List<Runs.Run> runs) {
        if (runs.isEmpty()) {
            return "There are no runs: the site has not been applied yet.\n";
        }
        var rows = new Columns();
        runs.forEach(run -> rows.row(
                run.id(), Files.isDirectory(run.folder()) ? run.folder().toString() : "on another machine"));
        return rows.text(0);
    }

    /** @param logs texts by file name */
    public static Map<String, Object> json(Runs.Run run, Map<String, String> logs) {
        return Map.of("run", run.id(), "folder", run.folder().toString(), "logs", logs);
    }

    public static List<Map<String, Object>> json(List<Runs.Run> runs) {
        return runs.stream()
                .map(run -> Map.<String, Object>of(
                        "run", run.id(), "folder", run.folder().toString()))
                .toList();
    }
}
