package io.deepsite.state;

import io.deepsite.Fuzz;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that deepsite wrote and something damaged. */
class StateFuzzTest {
    @TempDir
    private Path folder;

    @Test
    void aStateIsReadOrUnreadable() throws IOException {
        Fuzz.run(
                "state.json",
                texts(Path.of("src/test/resources/golden/state"), ".json"),
                text -> FileStateStore.read(text.getBytes(StandardCharsets.UTF_8), Path.of("state.json")),
                Failure.class);
    }

    @Test
    void aJournalIsReadOrUnreadable() {
        var file = folder.resolve("journal.ndjson");
        Fuzz.run(
                "journal",
                List.of("""
                        {"seq":1,"at":"2026-11-22T10:00:00Z","event":"intent","run":"r1","step":"machine:node-1","detail":{"name":"demo-node-1"}}
                        {"seq":2,"at":"2026-11-22T10:00:01Z","event":"done","run":"r1","step":"machine:node-1","detail":{}}
                        """),
                text -> {
                    Files.writeString(file, text.replace('\uD83D', '?'));
                    JournalContents.read(file).openIntents();
                },
                Failure.class);
    }

    private static List<String> texts(Path folder, String end) throws IOException {
        var texts = new ArrayList<String>();
        try (var files = Files.walk(folder)) {
            for (var file :
                    files.filter(each -> each.toString().endsWith(end)).sorted().toList()) {
                texts.add(Files.readString(file));
            }
        }
        return texts;
    }
}
