package io.deepsite.cli.view;

import io.deepsite.cli.view.RunProgress.Mood;
import io.deepsite.cli.view.RunProgress.Row;
import io.deepsite.cli.view.RunProgress.Stretch;
import io.deepsite.text.Elapsed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A run as lines that fit a terminal: the phases, then one row per host with bar, step and time. */
final class RowsText {
    private static final String SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏";
    private static final int WIDEST_NAME = 24;
    /** Below this width a row has no bar, below half of it no count either. */
    private static final int ROOM_FOR_BARS = 60;

    private final Style style;
    private final RunProgress run;

    RowsText(Style style, RunProgress run) {
        this.style = style;
        this.run = run;
    }

    /** @param frame counts up; turns the spinner */
    List<String> lines(TerminalSize size, Instant now, int frame) {
        var lines = new ArrayList<String>();
        var stretches = run.stretches();
        int room = size.rows() - 1;
        stretches.stream()
                .skip(Math.max(0, stretches.size() - 3))
                .limit(Math.max(1, room - 2))
                .forEach(stretch -> lines.add(phase(stretch, size.columns() - 1, now)));
        var rows = run.rows();
        int space = Math.max(0, room - lines.size());
        var shown = rows;
        if (rows.size() > space) {
            shown = rows.stream()
                    .sorted(Comparator.comparingInt(row -> rank(row.mood())))
                    .limit(Math.max(0, space - 1))
                    .sorted(Comparator.comparingInt(rows::indexOf))
                    .toList();
        }
        int name = Math.min(
                WIDEST_NAME,
                shown.stream().mapToInt(row -> row.subject.length()).max().orElse(0));
        shown.forEach(row -> lines.add(row(row, name, size.columns() - 1, now, frame)));
        if (shown.size() < rows.size() && space > 0) {
            lines.add(style.dim(Fit.cut("  and " + (rows.size() - shown.size()) + " more", size.columns() - 1)));
        }
        return lines;
    }

    private String phase(Stretch stretch, int width, Instant now) {
        var time = Elapsed.clock(Duration.between(stretch.begun, stretch.over.orElse(now)));
        // The number of checks is not known before they run.
        boolean open = stretch.checks > 0 || stretch.steps == 0;
        var count = open ? stretch.checks + " checks" : stretch.ended + "/" + stretch.steps;
        var words = new StringBuilder();
        if (stretch.failed > 0) {
            words.append("  ").append(stretch.failed).append(" failed");
        }
        if (stretch.busy > 0) {
            words.append("  ").append(stretch.busy).append(" busy");
        }
        int bar = width < ROOM_FOR_BARS || open ? 0 : 24;
        var name = Fit.pad(stretch.name, Math.min(14, width));
        var rest = Fit.cut("  " + count + "  " + time.strip() + words, width - 14 - bar);
        var bars = Fit.bar(stretch.ended, stretch.steps, bar);
        return style.bold(name) + (stretch.failed > 0 ? style.red(bars) : style.cyan(bars)) + rest;
    }

    private String row(Row row, int nameWidth, int width, Instant now, int frame) {
        var work = row.work();
        var since = work.map(one -> Elapsed.clock(Duration.between(one.since(), now)))
                .orElse("");
        var words = row.failed
                ? row.lastWords
                : work.map(RunProgress.RunningStep::words).orElse(row.mood() == Mood.BLOCKED ? "not finished" : "");
        var name = Fit.pad(row.subject, Math.min(nameWidth, Math.max(0, width - 4)));
        int left = width - 4 - name.length();
        var middle = "";
        if (left >= ROOM_FOR_BARS / 2) {
            var count = Fit.pad(row.steps > 0 ? row.done + "/" + row.steps : "", 6);
            middle = "  " + (width >= ROOM_FOR_BARS ? bar(row) + " " : "") + count;
            left -= 2 + 6 + (width >= ROOM_FOR_BARS ? 13 : 0);
        }
        left -= since.isEmpty() ? 0 : since.length() + 1;
        var text = Fit.pad("  " + words, Math.max(0, left));
        return "  " + sign(row.mood(), frame) + " " + name + middle + (row.failed ? style.red(text) : text)
                + (since.isEmpty() || left < 0 ? "" : " " + style.dim(since));
    }

    private String bar(Row row) {
        var bar = Fit.bar(row.done, row.steps, 12);
        return switch (row.mood()) {
            case FAILED -> style.red(bar);
            case DONE -> style.green(bar);
            case WAITING, BLOCKED -> style.dim(bar);
            case RUNNING -> style.cyan(bar);
        };
    }

    private String sign(Mood mood, int frame) {
        return switch (mood) {
            case WAITING -> " ";
            case RUNNING -> style.cyan(String.valueOf(SPINNER.charAt(Math.floorMod(frame, SPINNER.length()))));
            case DONE -> style.green("✔");
            case FAILED -> style.red("✖");
            case BLOCKED -> style.dim("–");
        };
    }

    private static int rank(Mood mood) {
        return switch (mood) {
            case FAILED -> 0;
            case RUNNING -> 1;
            case BLOCKED -> 2;
            case WAITING -> 3;
            case DONE -> 4;
        };
    }
}
