package io.deepsite.cluster.slurm;

import java.time.Instant;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Sums of jobs by month, account and, if wanted, user. */
final class Usage {
    private static final int FIELDS = 4;
    private static final double SECONDS_PER_HOUR = 3600;

    private final boolean byUser;
    private final TreeMap<Key, Sum> sums = new TreeMap<>(
            Comparator.comparing(Key::month).thenComparing(Key::account).thenComparing(Key::user));

    Usage(boolean byUser) {
        this.byUser = byUser;
    }

    private record Key(YearMonth month, String account, String user) {}

    private record Sum(long jobs, long cpuSeconds, long gpuSeconds) {
        Sum plus(Sum other) {
            return new Sum(jobs + other.jobs, cpuSeconds + other.cpuSeconds, gpuSeconds + other.gpuSeconds);
        }
    }

    /** @param user empty: all of the account */
    record Row(String month, String account, String user, long jobs, double cpuHours, double gpuHours) {
        Map<String, Object> fields() {
            var fields = new LinkedHashMap<String, Object>();
            fields.put("month", month);
            fields.put("account", account);
            if (!user.isEmpty()) {
                fields.put("user", user);
            }
            fields.put("jobs", jobs);
            fields.put("cpuHours", cpuHours);
            fields.put("gpuHours", gpuHours);
            return fields;
        }
    }

    void add(YearMonth month, JobRecords records, Instant now) {
        records.within(month, now, line -> add(month, line));
    }

    /** @param line of {@link JobRecords#within} */
    void add(YearMonth month, String line) {
        var fields = line.split("\\|", -1);
        if (fields.length != FIELDS || fields[3].isEmpty()) {
            return;
        }
        long seconds = number(fields[2]);
        sums.merge(
                new Key(month, fields[0], byUser ? fields[1] : ""),
                new Sum(1, seconds * resource(fields[3], "cpu"), seconds * resource(fields[3], "gres/gpu")),
                Sum::plus);
    }

    /** {@code cpu=2,gres/gpu=1,gres/gpu:k20m=1}: cards of a model are among all cards. */
    private static long resource(String allocated, String name) {
        for (var one : allocated.split(",")) {
            if (one.startsWith(name + "=")) {
                return number(one.substring(name.length() + 1));
            }
        }
        return 0;
    }

    private static long number(String text) {
        return text.matches("[0-9]{1,15}") ? Long.parseLong(text) : 0;
    }

    /** By month, then account, then user. */
    List<Row> rows() {
        return sums.entrySet().stream()
                .map(entry -> new Row(
                        entry.getKey().month().toString(),
                        entry.getKey().account(),
                        entry.getKey().user(),
                        entry.getValue().jobs(),
                        hours(entry.getValue().cpuSeconds()),
                        hours(entry.getValue().gpuSeconds())))
                .toList();
    }

    /** To three decimals, 3.6 s. */
    private static double hours(long seconds) {
        return Math.round(seconds / SECONDS_PER_HOUR * 1000) / 1000.0;
    }

    private List<String> names() {
        return byUser
                ? List.of("month", "account", "user", "jobs", "cpu_hours", "gpu_hours")
                : List.of("month", "account", "jobs", "cpu_hours", "gpu_hours");
    }

    private List<String> cells(Row row, String format) {
        var cells = new ArrayList<String>(List.of(row.month(), row.account()));
        if (byUser) {
            cells.add(row.user());
        }
        cells.add(String.valueOf(row.jobs()));
        cells.add(String.format(Locale.ROOT, format, row.cpuHours()));
        cells.add(String.format(Locale.ROOT, format, row.gpuHours()));
        return cells;
    }

    /** As RFC 4180 has it, with a line of names. Slurm's names of accounts and users have neither commas nor quotes. */
    String csv() {
        return String.join(",", names()) + "\n"
                + rows().stream()
                        .map(row -> String.join(",", cells(row, "%.3f")) + "\n")
                        .collect(Collectors.joining());
    }

    /** @param heading shows the line of names */
    String table(UnaryOperator<String> heading) {
        if (sums.isEmpty()) {
            return "No job ran in these months.\n";
        }
        var lines = new ArrayList<List<String>>();
        lines.add(names().stream().map(name -> name.replace('_', ' ')).toList());
        rows().forEach(row -> lines.add(cells(row, "%.1f")));
        int numbers = lines.getFirst().size() - 3;
        var text = new StringBuilder();
        for (var line : lines) {
            var cells = new ArrayList<String>();
            for (int column = 0; column < line.size(); column++) {
                int at = column;
                int width = lines.stream()
                        .mapToInt(one -> one.get(at).length())
                        .max()
                        .orElse(0);
                cells.add(String.format(Locale.ROOT, "%" + (column < numbers ? "-" : "") + width + "s", line.get(at)));
            }
            var row = String.join("  ", cells);
            text.append(text.isEmpty() ? heading.apply(row) : row).append('\n');
        }
        return text.toString();
    }
}
