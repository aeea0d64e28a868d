package io.deepsite.cluster.slurm;

import static io.deepsite.cluster.ClusterStages.in;

import io.deepsite.cluster.SiteAccess;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.remote.RemoteHost;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Slurm's own records of jobs, which {@code sacct} prints on the controller, a line at a time. */
final class JobRecords implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(30);
    private static final int ERRORS = 3;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss");

    private final String machine;
    private final RemoteHost host;

    private JobRecords(String machine, RemoteHost host) {
        this.machine = machine;
        this.host = host;
    }

    static JobRecords at(SiteAccess site, Slurm slurm) {
        var machine = in(slurm.controller(), site.machines()).getFirst().name();
        return new JobRecords(machine, site.connect(machine));
    }

    /**
     * Every run of a job of which a part is in the month: account, user, seconds within the month, what it had
     * ({@code cpu=2,gres/gpu=1}; empty if it never started), separated by bars. A job that was requeued has several runs.
     */
    void within(YearMonth month, Instant now, Consumer<String> line) {
        var end = month.plusMonths(1).atDay(1).atStartOfDay().toInstant(ZoneOffset.UTC);
        // Slurm counts a running job until the end that it is asked for, also if that is in the future.
        var last = end.isAfter(now) ? now : end;
        var environment = new TreeMap<>(Map.of("LC_ALL", "C", "TZ", "UTC"));
        sacct(
                "--allocations --duplicates --truncate --starttime=" + month + "-01T00:00:00 --endtime="
                        + TIME.format(last.atOffset(ZoneOffset.UTC)) + " --format=Account,User,ElapsedRaw,AllocTRES",
                environment,
                line);
    }

    /** Jobs and their steps with a part in these months, in the columns of {@link ApelRecords}, in the controller's time zone. */
    void ended(YearMonth first, YearMonth last, Consumer<String> line) {
        sacct(
                "--duplicates --units=K --starttime=" + first + "-01T00:00:00 --endtime=" + last.plusMonths(1)
                        + "-01T00:00:00 --format=" + ApelRecords.COLUMNS,
                new TreeMap<>(Map.of("LC_ALL", "C")),
                line);
    }

    private void sacct(String options, SortedMap<String, String> environment, Consumer<String> line) {
        var said = host.follow("exec sacct --allusers --parsable2 --noheader " + options, environment, LIMIT, line);
        if (said.exit() != 0) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_PROVED,
                    machine + " tells no jobs: " + said.stderrTail(ERRORS),
                    "`deepsite verify` checks that the cluster works."));
        }
    }

    @Override
    public void close() {
        host.close();
    }
}
