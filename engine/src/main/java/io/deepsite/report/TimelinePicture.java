package io.deepsite.report;

import io.deepsite.report.Timeline.Row;
import io.deepsite.report.Timeline.Step;
import io.deepsite.text.Elapsed;
import io.deepsite.text.Markup;
import io.deepsite.text.Svg;
import io.deepsite.text.Svg.Anchor;
import java.time.Duration;
import java.util.List;

/** Draws a timeline: a row for each host, or for hosts on which the same was done; time runs to the right. */
final class TimelinePicture {
    private static final double WIDTH = 960;
    private static final double LABEL = 200;
    private static final double PLOT = WIDTH - LABEL - 24;
    private static final double TOP = 54;
    private static final double ROW = 26;
    private static final double BAR = 18;
    /** Of one step of many hosts. */
    private static final double LANE = 14;

    /** Shorter ones would not be seen. */
    private static final double LEAST = 2;
    /** Further rows are in the table only. */
    private static final int MOST = 80;

    private static final int TICKS = 8;
    private static final List<Long> SECONDS = List.of(
            1L, 2L, 5L, 10L, 15L, 30L, 60L, 120L, 300L, 600L, 900L, 1800L, 3600L, 7200L, 14_400L, 43_200L, 86_400L);

    private final Timeline timeline;
    private final Svg svg = new Svg();
    private final double scale;

    TimelinePicture(Timeline timeline) {
        this.timeline = timeline;
        this.scale = PLOT / Math.max(1, timeline.took().toMillis());
    }

    Markup inPage(String id) {
        var rows = timeline.rows().subList(0, Math.min(MOST, timeline.rows().size()));
        double bottom = TOP + rows.stream().mapToDouble(TimelinePicture::high).sum();
        axis(bottom);
        phases();
        double y = TOP;
        for (var row : rows) {
            row(row, y);
            y += high(row);
        }
        double end = legend(bottom + 18, rows.size());
        return svg.inPage(
                id,
                "Timeline of the run",
                timeline.rows().size() + " rows over " + Elapsed.words(timeline.took())
                        + ", one for each group of hosts on which the same was done. The table below has the same data.",
                WIDTH,
                end);
    }

    private void axis(double bottom) {
        long total = Math.max(1, timeline.took().toSeconds());
        long tick = SECONDS.stream()
                .filter(seconds -> total / seconds <= TICKS)
                .findFirst()
                .orElse(total / TICKS + 1);
        for (long at = 0; at <= total; at += tick) {
            double x = x(Duration.ofSeconds(at));
            svg.line(x, TOP - 8, x, bottom, "grid");
            svg.text(
                    x,
                    14,
                    11,
                    100,
                    at == 0 ? Anchor.START : Anchor.MIDDLE,
                    "soft",
                    at == 0 ? "0" : Elapsed.words(Duration.ofSeconds(at)));
        }
        svg.line();
    }

    private void phases() {
        for (var phase : timeline.phases()) {
            double x = x(phase.from());
            double width = Math.max(LEAST, x(phase.to()) - x);
            svg.bar(
                    x,
                    22,
                    width,
                    BAR,
                    "panel",
                    phase.name() + ", " + Elapsed.words(phase.to().minus(phase.from())));
            if (width > 30) {
                svg.text(x + 5, 35, 11, width - 8, Anchor.START, "soft", phase.name());
            }
        }
        svg.line();
    }

    private void row(Row row, double y) {
        int count = row.subjects().size();
        var number = count > 1 ? " × " + count : "";
        svg.text(
                0,
                y + 13,
                12,
                LABEL - 12 - Svg.width(number, 12),
                Anchor.START,
                "ink",
                ReportPage.brief(row.subjects()));
        if (count > 1) {
            svg.text(LABEL - 12, y + 13, 12, 90, Anchor.END, "soft", number);
        }
        if (overlap(row)) {
            for (int i = 0; i < row.steps().size(); i++) {
                lane(row, row.steps().get(i), y + i * LANE);
            }
        } else {
            for (var step : row.steps()) {
                bar(row, step, y, BAR);
                word(step, y);
            }
        }
        svg.line();
    }

    /** Of many hosts some are at one step while others are at the next: then each step has a line of its own. */
    private static boolean overlap(Row row) {
        for (int i = 1; i < row.steps().size(); i++) {
            if (row.steps().get(i).from().compareTo(row.steps().get(i - 1).to()) < 0) {
                return true;
            }
        }
        return false;
    }

    private static double high(Row row) {
        return overlap(row) ? Math.max(ROW, row.steps().size() * LANE + ROW - BAR) : ROW;
    }

    /** Its name is beside it, where there is room. */
    private void lane(Row row, Step step, double y) {
        bar(row, step, y, LANE - 2);
        var word = name(step);
        double room = Svg.width(word, 10) + 6;
        double end = Math.max(x(step.to()), x(step.from()) + LEAST);
        if (end + room < LABEL + PLOT) {
            svg.text(end + 4, y + 9, 10, room, Anchor.START, "soft", word);
        } else if (x(step.from()) - room > LABEL) {
            svg.text(x(step.from()) - 4, y + 9, 10, room, Anchor.END, "soft", word);
        } else {
            svg.text(x(step.from()) + 4, y + 9, 10, room, Anchor.START, "ink", word);
        }
    }

    private void word(Step step, double y) {
        double x = x(step.slowest().from());
        double width = x(step.slowest().to()) - x;
        if (Svg.width(name(step), 10) + 8 < width) {
            svg.text(x + 4, y + 12.5, 10, width - 4, Anchor.START, "paper", name(step));
        }
    }

    private static String name(Step step) {
        return step.what().substring(step.what().lastIndexOf('.') + 1);
    }

    private void bar(Row row, Step step, double y, double high) {
        var tooltip = step.what() + " on " + ReportPage.brief(row.subjects()) + ": "
                + step.how().words() + ", "
                + Elapsed.words(step.slowest().length())
                + (step.message().isEmpty() ? "" : ": " + step.message());
        double from = x(step.from());
        double to = Math.max(from + LEAST, x(step.to()));
        if (row.subjects().size() > 1) {
            svg.bar(from, y, to - from, high, css(step) + " band", tooltip);
        }
        double x = x(step.slowest().from());
        double width = Math.max(LEAST, x(step.slowest().to()) - x);
        svg.bar(Math.min(x, LABEL + PLOT - width), y, width, high, css(step), tooltip);
    }

    private double legend(double y, int shown) {
        double x = LABEL;
        for (var key : List.of(
                new String[] {"made", "machine or resource"},
                new String[] {"configured", "configuration"},
                new String[] {"failed", "failed"},
                new String[] {"cut", "cancelled or not finished"},
                new String[] {"untried", "not tried"})) {
            svg.box(x, y - 10, 20, 12, 2, key[0]);
            svg.text(x + 26, y, 11, 200, Anchor.START, "soft", key[1]);
            x += 26 + Svg.width(key[1], 11) + 12;
        }
        double end = y;
        if (timeline.rows().stream().anyMatch(row -> row.subjects().size() > 1)) {
            end += 18;
            svg.text(
                    LABEL,
                    end,
                    11,
                    PLOT,
                    Anchor.START,
                    "soft",
                    "Pale: from the first host of the row to the last. Full: the host that took longest.");
        }
        if (shown < timeline.rows().size()) {
            end += 18;
            svg.text(
                    LABEL,
                    end,
                    11,
                    PLOT,
                    Anchor.START,
                    "soft",
                    (timeline.rows().size() - shown) + " more rows are in the table.");
        }
        return end + 10;
    }

    private double x(Duration since) {
        return LABEL + since.toMillis() * scale;
    }

    private static String css(Step step) {
        return switch (step.how()) {
            case DONE -> step.onBackEnd() ? "made" : "configured";
            case FAILED -> "failed";
            case NOT_TRIED -> "untried";
            case CANCELLED, CUT -> "cut";
        };
    }
}
