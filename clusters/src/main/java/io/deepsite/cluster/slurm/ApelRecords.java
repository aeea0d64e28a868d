package io.deepsite.cluster.slurm;

import io.deepsite.cluster.SiteStages;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Records of jobs as APEL's parser for Slurm reads them: one line for each job, with the most memory of its steps.
 *
 * <p>Without the steps' own lines, which the parser would count as jobs of nobody; without the names of jobs, which users choose
 * and which may hold the bar between the columns; without the number behind {@code CANCELLED by}, with which the parser leaves
 * a job out.
 *
 * <p>Source: APEL 2.5.0, apel/parsers/slurm.py and scripts/slurm_acc.sh
 */
final class ApelRecords implements Consumer<String> {
    /** What sacct is asked for; the parser's second column, the name of the job, is missing. */
    static final String COLUMNS =
            "JobID,User,Group,Start,End,Elapsed,CPUTimeRAW,Partition,NCPUS,NNodes,NodeList,MaxRSS,MaxVMSize,State";

    private static final int USER = 1;
    private static final int START = 3;
    private static final int END = 4;
    private static final int NODES = 10;
    private static final int RESIDENT = 11;
    private static final int VIRTUAL = 12;
    private static final int STATE = 13;

    /** States that the parser counts. */
    private static final Set<String> COUNTED =
            Set.of("CANCELLED", "COMPLETED", "FAILED", "NODE_FAIL", "PREEMPTED", "TIMEOUT");

    /** Jobs in these states have used resources, too, and the parser does not know them. */
    private static final Map<String, String> OTHERS = Map.of("OUT_OF_MEMORY", "FAILED", "DEADLINE", "TIMEOUT");

    private final String from;
    private final String until;
    private final Consumer<String> line;
    private @Nullable List<String> job;
    private double resident;
    private double virtual;

    /**
     * @param from the first day on which a job ended
     * @param until the day after the last one
     */
    ApelRecords(LocalDate from, LocalDate until, Consumer<String> line) {
        this.from = from.toString();
        this.until = until.toString();
        this.line = line;
    }

    /** A line of sacct: a job, or a step of the last one. */
    @Override
    public void accept(String record) {
        var fields = List.of(record.split("\\|", -1));
        if (fields.size() != STATE + 1) {
            return;
        }
        if (fields.getFirst().indexOf('.') < 0) {
            close();
            job = fields;
        }
        resident = Math.max(resident, kibibytes(fields.get(RESIDENT)));
        virtual = Math.max(virtual, kibibytes(fields.get(VIRTUAL)));
    }

    /** After the last line. */
    void close() {
        if (job != null) {
            tell(job);
        }
        job = null;
        resident = 0;
        virtual = 0;
    }

    private void tell(List<String> job) {
        var word = job.get(STATE).split(" ", 2)[0];
        var state = OTHERS.getOrDefault(word, word);
        var end = job.get(END);
        boolean ran = job.get(START).startsWith("2") && !job.get(NODES).startsWith("None");
        if (COUNTED.contains(state)
                && ran
                && end.compareTo(from) >= 0
                && end.compareTo(until) < 0
                && !job.get(USER).equals(SiteStages.VERIFY_USER)) {
            line.accept(job.getFirst() + "||" + String.join("|", job.subList(USER, RESIDENT)) + "|" + memory(resident)
                    + "|" + memory(virtual) + "|" + state);
        }
    }

    /** Empty for none: the parser refuses a zero. */
    private static String memory(double kibibytes) {
        return kibibytes < 1 ? "" : String.format(Locale.ROOT, "%.0fK", kibibytes);
    }

    private static double kibibytes(String text) {
        return text.matches("[0-9]{1,15}(\\.[0-9]+)?K") ? Double.parseDouble(text.substring(0, text.length() - 1)) : 0;
    }
}
