package io.deepsite.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;

/**
 * Results of the lane {@code faults} with a real LXD: a line for each kill, {@code <operation> <point>:<n> passed|failed <day>
 * <commit>}, grouped by operation.
 */
record FaultPoints(Path file) {
    String table() throws IOException {
        var rows = new LinkedHashMap<String, Row>();
        for (var line : Files.readAllLines(file)) {
            var words = line.split(" ");
            var before = rows.getOrDefault(words[0], new Row(0, 0, "", ""));
            rows.put(
                    words[0],
                    new Row(
                            before.points() + 1,
                            before.survived() + (words[2].equals("passed") ? 1 : 0),
                            words[3],
                            words[4]));
        }
        if (rows.isEmpty()) {
            return "Not run yet.\n";
        }
        var table = new StringBuilder("| operation | points | survived | day | commit |\n|---|---|---|---|---|\n");
        rows.forEach((operation, row) -> table.append("| %s | %d | %d | %s | %s |\n"
                .formatted(operation, row.points(), row.survived(), row.day(), row.commit())));
        return table.toString();
    }

    private record Row(int points, int survived, String day, String commit) {}
}
