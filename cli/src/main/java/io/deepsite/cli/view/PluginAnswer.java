package io.deepsite.cli.view;

import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.PlainText;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * What a plugin of Nagios, Icinga or NRPE answers: one line of text and performance data, and an exit code of its own.
 *
 * <p>Source: Monitoring Plugins Development Guidelines, "Plugin Output for Nagios", "Plugin Return Codes"
 *
 * @param text one sentence for people
 */
public record PluginAnswer(State state, String text, List<Measure> measures) {
    /** NRPE before version 3 cuts an answer at 1024 bytes, measures included. */
    private static final int LONGEST_TEXT = 500;

    public PluginAnswer {
        text = PlainText.of(text.strip().replace("\n", "; ").replace('\t', ' ').replace('|', '/'), LONGEST_TEXT);
        measures = List.copyOf(measures);
    }

    /** How a service is; the numbers are exit codes. */
    public enum State {
        OK(0),
        WARNING(1),
        CRITICAL(2),
        UNKNOWN(3);

        private final int exit;

        State(int exit) {
            this.exit = exit;
        }

        public int exit() {
            return exit;
        }
    }

    /**
     * One number that monitoring systems draw.
     *
     * @param label of letters and {@code _}
     * @param unit {@code s} or empty
     * @param warning range of Nagios within which the value is no warning; empty: any
     * @param critical the same for critical
     */
    public record Measure(String label, double value, String unit, String warning, String critical) {
        /** A number of things that should be none. */
        public static Measure none(String label, int value) {
            return new Measure(label, value, "", "", "0");
        }

        public static Measure count(String label, int value) {
            return new Measure(label, value, "", "", "");
        }

        public static Measure seconds(String label, double value) {
            return new Measure(label, value, "s", "", "");
        }

        private String text() {
            var number = value == Math.rint(value)
                    ? String.valueOf((long) value)
                    : String.format(Locale.ROOT, "%.3f", value);
            return (label + "=" + number + unit + ";" + warning + ";" + critical).replaceAll(";+$", "");
        }
    }

    /**
     * The answer of a command that could not look. What is wrong with the site or its back-end is critical; what is wrong with
     * the call, or a lock that another operation holds, says nothing of the site.
     */
    public static PluginAnswer of(List<Diagnostic> faults, ExitCode exit) {
        var state = switch (exit) {
            case FAILED, PROVIDER_UNREACHABLE -> State.CRITICAL;
            default -> State.UNKNOWN;
        };
        return new PluginAnswer(state, words(faults), List.of());
    }

    /** The faults in one line, with their codes. */
    public static String words(List<Diagnostic> faults) {
        return faults.stream()
                .filter(Diagnostic::isError)
                .map(fault -> fault.code().id() + " " + fault.code().summary() + ": " + fault.why())
                .collect(Collectors.joining("; "));
    }

    /** Ends with a line break. */
    public String line() {
        return "DEEPSITE " + state + " - " + text
                + (measures.isEmpty()
                        ? ""
                        : measures.stream().map(Measure::text).collect(Collectors.joining(" ", " | ", "")))
                + "\n";
    }
}
