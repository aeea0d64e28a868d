package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.apply.Event;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.state.FileRuns;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class EventLogTest {
    @Test
    void aFullDiskIsToldOnceAndEndsNothing() {
        var notices = new ArrayList<Diagnostic>();
        var events = new ArrayList<Event>();

        try (var log = new EventLog(
                FileRuns.linesIn(Path.of("/dev/full")), InstantSource.system(), notices::add, events::add)) {
            log.accept(new Event.Phase("one", 1));
            log.accept(new Event.Phase("two", 1));
        }

        assertThat(events).hasSize(2);
        assertThat(notices).singleElement().satisfies(each -> {
            assertThat(each.code()).isEqualTo(Code.DISK_FULL);
            assertThat(each.isError()).isFalse();
        });
    }
}
