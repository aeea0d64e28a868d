package io.deepsite.cli.view;

import io.deepsite.apply.Event;
import java.util.function.Consumer;

/** Shows a run while it goes on. Events may come from any thread. */
public interface ProgressView extends Consumer<Event>, AutoCloseable {
    /** Shows nothing. */
    ProgressView SILENT = new ProgressView() {
        @Override
        public void accept(Event event) {}

        @Override
        public void close() {}
    };

    /** The run is over: whatever stands on the screen stays there, and nothing more is drawn. */
    @Override
    void close();
}
