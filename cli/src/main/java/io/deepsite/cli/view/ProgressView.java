package io.deepsite.cli.view;

import io.deepsite.apply.Event;
import java.util.function.Consumer;

/** Shows a run in progress. Events may come from any thread. */
public interface ProgressView extends Consumer<Event>, AutoCloseable {
    /** Shows nothing. */
    ProgressView SILENT = new ProgressView() {
        @Override
        public void accept(Event event) {}

        @Override
        public void close() {}
    };

    /** Ends the view: the screen stays as it is, and nothing more is drawn. */
    @Override
    void close();
}
