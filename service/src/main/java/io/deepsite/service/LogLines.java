package io.deepsite.service;

import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** How the process logs: what its libraries say of themselves at each start is left out, faults are not. */
final class LogLines {
    private static final String ROOT = "";

    /** Held here: a logger that nobody holds loses its level. */
    private static final List<Logger> QUIET = List.of(
            Logger.getLogger("com.github.kagkarlsson"),
            Logger.getLogger("com.zaxxer.hikari"),
            Logger.getLogger("org.eclipse.jetty"),
            Logger.getLogger("org.flywaydb"));

    private LogLines() {}

    /** @param json whether each line is an object of JSON */
    static void set(boolean json) {
        // Somebody who asked for more, by java.util.logging.config.file, gets it.
        QUIET.stream().filter(logger -> logger.getLevel() == null).forEach(logger -> logger.setLevel(Level.WARNING));
        if (json) {
            Arrays.stream(Logger.getLogger(ROOT).getHandlers()).forEach(handler -> handler.setFormatter(new Json()));
        }
    }

    static final class Json extends Formatter {
        private static final JsonMapper JSON = JsonMapper.shared();
        private static final SimpleFormatter TEXT = new SimpleFormatter();

        @Override
        public String format(LogRecord record) {
            var line = new LinkedHashMap<String, Object>();
            line.put("at", Instant.ofEpochMilli(record.getMillis()).toString());
            line.put("level", record.getLevel().getName());
            line.put("logger", record.getLoggerName());
            line.put("message", TEXT.formatMessage(record));
            if (record.getThrown() != null) {
                line.put("fault", fault(record.getThrown()));
            }
            return JSON.writeValueAsString(line) + "\n";
        }

        private static String fault(Throwable thrown) {
            return thrown
                    + Arrays.stream(thrown.getStackTrace())
                            .map(frame -> "\n    at " + frame)
                            .collect(Collectors.joining())
                    + (thrown.getCause() == null ? "" : "\ncaused by " + fault(thrown.getCause()));
        }
    }
}
