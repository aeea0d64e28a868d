package io.deepsite.cluster.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.TestSites;
import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command with the options as picocli reads them, on a controller that answers as sacct 22.05 does. */
class UsageCommandTest {
    private static final String NOVEMBER = """
            physics|alice|7200|billing=2,cpu=2,gres/gpu:k20m=1,gres/gpu=1,mem=64M,node=1
            physics|alice|3600|billing=1,cpu=1,mem=32M,node=1
            physics|bob|90|billing=4,cpu=4,mem=32M,node=2
            quickstart|deepsite-verify|1|billing=1,cpu=1,mem=32M,node=1
            physics|alice|0|
            """;

    private final SlurmInvocation context = new SlurmInvocation();

    @BeforeEach
    void november() {
        context.answers = List.of(NOVEMBER);
    }

    @Test
    void hoursAreSummedByAccountAndUser() {
        run();

        assertThat(context.printed).asString().isEqualTo("""
                month    account     user             jobs  cpu hours  gpu hours
                2026-11  physics     alice               2        5.0        2.0
                2026-11  physics     bob                 1        0.1        0.0
                2026-11  quickstart  deepsite-verify     1        0.0        0.0
                """);
    }

    @Test
    void accountsAreSummedOverTheirUsers() {
        run("hpc", "--by", "account", "--csv");

        assertThat(context.printed).asString().isEqualTo("""
                month,account,jobs,cpu_hours,gpu_hours
                2026-11,physics,3,5.100,2.000
                2026-11,quickstart,1,0.000,0.000
                """);
    }

    /** Slurm would count a running job until the end that it is asked for. */
    @Test
    void monthsAreAskedForOneByOneAndNotBeyondNow() {
        context.answers = List.of("", NOVEMBER);

        run("--from", "2026-10", "--until", "2027-03");

        assertThat(context.asked).hasSize(2);
        assertThat(context.asked.get(0))
                .contains("export TZ='UTC'", " --truncate ")
                .contains("--starttime=2026-10-01T00:00:00 --endtime=2026-11-01T00:00:00");
        assertThat(context.asked.get(1)).contains("--starttime=2026-11-01T00:00:00 --endtime=2026-11-26T12:00:30");
    }

    @Test
    void jsonHasTheSameRows() {
        context.json = true;

        run();

        assertThat(context.object)
                .containsEntry("cluster", "hpc")
                .containsEntry("from", "2026-11")
                .extractingByKey("usage")
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(3)
                .contains(Map.of(
                        "month",
                        "2026-11",
                        "account",
                        "physics",
                        "user",
                        "alice",
                        "jobs",
                        2L,
                        "cpuHours",
                        5.0,
                        "gpuHours",
                        2.0));
    }

    @Test
    void monthWithoutJobsSaysSo() {
        context.answers = List.of("");

        run();

        assertThat(context.printed).asString().isEqualTo("No job ran in these months.\n");
    }

    /** The parser's columns: JobID, JobName, User, Group, Start, End, Elapsed, CPUTimeRAW, Partition, NCPUS, NNodes, NodeList, MaxRSS, MaxVMSize, State. */
    @Test
    void apelGetsALineForEachJobThatEnded() {
        context.answers = List.of("""
                7|alice|physics|2026-11-02T10:00:00|2026-11-02T11:00:00|01:00:00|7200|batch|2|1|node-1|||COMPLETED
                7.batch|||2026-11-02T10:00:00|2026-11-02T11:00:00|01:00:00|7200||2|1|node-1|1024K|2048.50K|COMPLETED
                7.0|||2026-11-02T10:00:00|2026-11-02T11:00:00|01:00:00|7200||2|1|node-1|4096K|0|COMPLETED
                8|bob|bob|2026-11-02T10:00:00|2026-11-02T10:00:01|00:00:01|1|batch|1|1|node-1|||CANCELLED by 2002
                9_2|bob|bob|2026-11-02T10:00:00|2026-11-02T10:00:01|00:00:01|1|batch|1|1|node-1|||OUT_OF_MEMORY
                """);

        run("--apel");

        assertThat(context.printed).asString().isEqualTo("""
                7||alice|physics|2026-11-02T10:00:00|2026-11-02T11:00:00|01:00:00|7200|batch|2|1|node-1|4096K|2049K|COMPLETED
                8||bob|bob|2026-11-02T10:00:00|2026-11-02T10:00:01|00:00:01|1|batch|1|1|node-1|||CANCELLED
                9_2||bob|bob|2026-11-02T10:00:00|2026-11-02T10:00:01|00:00:01|1|batch|1|1|node-1|||FAILED
                """);
        assertThat(context.asked).singleElement().asString().doesNotContain("JobName", "TZ=");
    }

    @Test
    void apelGetsNoJobTwiceAndNoneThatDidNotRun() {
        context.answers = List.of("""
                1|alice|physics|2026-10-31T23:00:00|2026-10-31T23:59:59|00:59:59|1|batch|1|1|node-1|||COMPLETED
                2|alice|physics|2026-11-30T23:00:00|2026-12-01T00:00:00|01:00:00|1|batch|1|1|node-1|||COMPLETED
                3|alice|physics|2026-11-02T10:00:00|Unknown|01:00:00|1|batch|1|1|node-1|||RUNNING
                4|alice|physics|None|2026-11-02T10:00:00|00:00:00|0|batch|1|1|None assigned|||CANCELLED by 2001
                5|deepsite-verify|deepsite-verify|2026-11-02T10:00:00|2026-11-02T10:00:01|00:00:01|1|batch|1|1|node-1|||COMPLETED
                not a record
                """);

        run("--apel");

        assertThat(context.printed).isEmpty();
    }

    @Test
    void clusterWithoutAccountingIsRefused() {
        context.site = TestSites.load("site.yaml", """
                        apiVersion: deepsite/v1
                        site: demo
                        provider:
                          lxd: {}
                        machines:
                          head: {image: debian/12}
                          node: {image: debian/12}
                        clusters:
                          hpc: {kind: slurm, controller: head, compute: [node], accounting: false}
                        """, Map.of()).orFail();

        assertThat(refused()).isEqualTo(Code.NOT_WITH_KIND);
    }

    @Test
    void whatSacctSaysIsPassedOn() {
        context.error = "sacct: error: Problem talking to the database";

        var failure = catchThrowableOfType(Failure.class, this::run);

        assertThat(failure).hasMessageContaining("DS6001").hasMessageContaining(context.error);
    }

    @Test
    void monthsThatAreNoneAreRefused() {
        assertThat(refused("--from", "2026-11", "--until", "2026-10")).isEqualTo(Code.COMMAND_LINE);
        assertThat(refused("--from", "2026-12", "--until", "2026-12")).isEqualTo(Code.COMMAND_LINE);
        assertThat(refused("--from", "November")).isEqualTo(Code.COMMAND_LINE);
        assertThat(refused("--csv", "--apel")).isEqualTo(Code.COMMAND_LINE);
    }

    private Code refused(String... words) {
        return catchThrowableOfType(Failure.class, () -> run(words))
                .diagnostics()
                .getFirst()
                .code();
    }

    private void run(String... words) {
        var command = new UsageCommand();
        new CommandLine(command).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(words);
        assertThat(command.run(context)).isZero();
    }
}
