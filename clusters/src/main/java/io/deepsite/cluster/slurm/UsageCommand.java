package io.deepsite.cluster.slurm;

import io.deepsite.cluster.ClusterCommand;
import io.deepsite.cluster.InvocationContext;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import io.deepsite.site.Name;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code deepsite usage}: what accounts and users of a Slurm cluster used. */
@Command(
        name = "usage",
        description = {
            "Report what accounts and users of a Slurm cluster used.",
            "Jobs, CPU hours and GPU hours by month (UTC), account and user, from Slurm's own records of jobs. A job that runs"
                    + " over the end of a month counts in both, in each with its part."
        },
        footer = {
            "  deepsite usage",
            "  deepsite usage hpc --from 2026-01 --until 2026-06 --by account --csv",
            "  deepsite usage --from 2026-10 --until 2026-10 --apel > /var/spool/apel/slurm-2026-10"
        })
final class UsageCommand implements ClusterCommand {
    private static final int BLOCK = 64 * 1024;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "CLUSTER",
            description = "A cluster of site.yaml; may be left out if one only runs Slurm.")
    private @Nullable String cluster;

    @Option(
            names = "--from",
            paramLabel = "MONTH",
            description = "The first month, such as 2026-01 (default: this one).")
    private @Nullable String from;

    @Option(names = "--until", paramLabel = "MONTH", description = "The last month (default: this one).")
    private @Nullable String until;

    @Option(
            names = "--by",
            paramLabel = "WHAT",
            defaultValue = "user",
            description =
                    "A row for each account, or for each user of each (account, user; default: ${DEFAULT-VALUE}).")
    private By by = By.USER;

    @Option(names = "--csv", description = "Print comma-separated values, with a line of names.")
    private boolean csv;

    @Option(
            names = "--apel",
            description = "Print what APEL's parser for Slurm reads: a line for each job that ended in these months, in"
                    + " the controller's time zone, without those of deepsite itself.")
    private boolean apel;

    /** What has a row of its own. */
    enum By {
        ACCOUNT,
        USER
    }

    @Override
    public int run(InvocationContext context) {
        if (Stream.of(csv, apel, context.json()).filter(asked -> asked).count() > 1) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE, "--csv, --apel and --json exclude each other.", "Name one of them."));
        }
        return context.withSite(site -> {
            var name = OnlySlurm.name(site, context, cluster, "usage");
            var slurm = site.cluster(name, new SlurmKind(), "no accounts of jobs");
            if (!slurm.accounting()) {
                throw new Failure(Diagnostic.error(
                        Code.NOT_WITH_KIND,
                        name + " keeps no accounts of jobs: accounting is false.",
                        "Set accounting: true and apply; jobs count from then on."));
            }
            var now = site.clock().instant();
            var months = months(now);
            try (var records = JobRecords.at(site, slurm)) {
                if (apel) {
                    apel(context, records, months);
                } else {
                    report(context, name, records, months, now);
                }
            }
            return ExitCode.DONE.number();
        });
    }

    private record Months(YearMonth first, YearMonth last) {}

    private void report(InvocationContext context, Name name, JobRecords records, Months months, Instant now) {
        var usage = new Usage(by == By.USER);
        for (var month = months.first(); !month.isAfter(months.last()); month = month.plusMonths(1)) {
            usage.add(month, records, now);
        }
        if (context.json()) {
            var fields = new LinkedHashMap<String, Object>();
            fields.put("cluster", name.value());
            fields.put("from", months.first().toString());
            fields.put("until", months.last().toString());
            fields.put("usage", usage.rows().stream().map(Usage.Row::fields).toList());
            context.printJson(fields);
        } else {
            context.print(csv ? usage.csv() : usage.table(context::bold));
        }
    }

    private static void apel(InvocationContext context, JobRecords records, Months months) {
        var block = new StringBuilder();
        var lines = new ApelRecords(
                months.first().atDay(1), months.last().plusMonths(1).atDay(1), line -> {
                    block.append(line).append('\n');
                    if (block.length() > BLOCK) {
                        context.print(block.toString());
                        block.setLength(0);
                    }
                });
        records.ended(months.first(), months.last(), lines);
        lines.close();
        context.print(block.toString());
    }

    /** Ends with the current month at the latest: nothing was used in the next ones. */
    private Months months(Instant now) {
        var current = YearMonth.from(now.atOffset(ZoneOffset.UTC));
        var last = until == null ? current : month(until);
        var first = from == null ? last : month(from);
        if (first.isAfter(last)) {
            throw new Failure(Diagnostic.error(
                    Code.COMMAND_LINE, "The months from " + first + " until " + last + " are none.", ""));
        }
        if (first.isAfter(current)) {
            throw new Failure(Diagnostic.error(Code.COMMAND_LINE, first + " has not begun.", ""));
        }
        return new Months(first, last.isAfter(current) ? current : last);
    }

    private static YearMonth month(String typed) {
        try {
            return YearMonth.parse(typed);
        } catch (DateTimeParseException e) {
            throw new Failure(
                    Diagnostic.error(Code.COMMAND_LINE, "\"" + typed + "\" is not a month, such as 2026-01.", ""), e);
        }
    }
}
