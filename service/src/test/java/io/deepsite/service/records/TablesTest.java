package io.deepsite.service.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.diag.Failure;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TablesTest {
    @TempDir
    Path folder;

    @Test
    void keepsWhatWasWritten() {
        try (var tables = Tables.inFolder(folder)) {
            tables.in(handle -> handle.execute("INSERT INTO service.project (name) VALUES (?)", "biology"));
        }
        try (var tables = Tables.inFolder(folder)) {
            assertThat(names(tables)).containsExactly("biology");
        }
    }

    @Test
    void aTransactionThatFailsLeavesNothing() {
        try (var tables = Tables.inMemory("transaction")) {
            assertThatThrownBy(() -> tables.in(handle -> {
                        handle.execute("INSERT INTO service.project (name) VALUES (?)", "biology");
                        throw new IllegalStateException("on purpose");
                    }))
                    .hasMessage("on purpose");
            assertThat(names(tables)).isEmpty();
        }
    }

    @Test
    void aFolderThatCannotBeMadeIsRefused() {
        try (var _ = Tables.inFolder(folder)) {
            assertThatThrownBy(() -> Tables.inFolder(folder.resolve("service.mv.db")))
                    .isInstanceOf(Failure.class)
                    .hasMessageContaining("cannot be made");
        }
    }

    private static List<String> names(Tables tables) {
        return tables.in(handle -> handle.createQuery("SELECT name FROM service.project")
                .mapTo(String.class)
                .list());
    }
}
