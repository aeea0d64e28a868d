package io.deepsite.cluster.mesos;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.cluster.mesos.MesosApi.Part;
import io.deepsite.cluster.mesos.WorkLoader.Framework;
import io.deepsite.state.Secret;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class MesosRunTest {
    private static final String CHECKED =
            "{name: demo, command: serve, ports: [{name: http}], healthCheck: {http: /health}}";

    private final Answers api = new Answers();

    @Test
    void aServiceIsFollowedUntilItsTasksRun() {
        api.answers("v2/apps", "{}");
        api.answers("v2/apps/demo", app(""), app("""
                {"id": "demo.1", "host": "10.0.0.5", "ports": [31001], "startedAt": "2030-01-01T00:00:00Z"}"""));
        api.answers("master/state", """
                {"slaves": [{"id": "S0", "hostname": "10.0.0.5"}], "frameworks": [{"tasks": [
                  {"id": "demo.1", "slave_id": "S0", "executor_id": ""}, {"id": "other.1", "slave_id": "S0"}]}]}""");
        api.answers("state", """
                {"frameworks": [{"executors": [{"id": "demo.1", "directory": "/work"}, {"id": "other.1", "directory": "/no"}]}]}""");
        api.answers("files/read?path=%2Fwork%2Fstdout&offset=0&length=65536", "{\"data\": \"ready\\n\"}");
        api.answers("files/read?path=%2Fwork%2Fstdout&offset=6&length=65536", "{\"data\": \"\"}");
        api.answers("files/read?path=%2Fwork%2Fstderr&offset=0&length=65536", "{\"data\": \"\"}");

        var told = run().service(work("{name: demo, command: serve}", Framework.MARATHON), true);

        assertThat(told.isWell()).isTrue();
        assertThat(told.state()).isEqualTo("running");
        assertThat(told.where()).containsExactly("10.0.0.5 31001");
        assertThat(told.stdout()).isEqualTo("ready\n");
    }

    @Test
    void aServiceThatGetsNoOfferWaits() {
        api.answers("v2/apps", "{}");
        api.answers("v2/apps/demo", app(""));
        api.answers("master/state", "{}");

        var told = run().service(work("{name: demo, command: serve, gpus: 9}", Framework.MARATHON), true);

        assertThat(told.isWell()).isFalse();
        assertThat(told.state()).isEqualTo("waiting");
        assertThat(told.why())
                .hasValueSatisfying(why -> assertThat(why).contains("no agent has enough free resources"));
    }

    @Test
    void aServiceThatEndsAgainAndAgainHasFailed() {
        api.answers("v2/apps", "{}");
        api.answers("v2/apps/demo", """
                {"app": {"tasks": [], "lastTaskFailure": {"message": "Command exited with status 1"}}}""");
        api.answers("master/state", "{}");

        var told = run().service(work("{name: demo, command: serve}", Framework.MARATHON), true);

        assertThat(told.state()).isEqualTo("failed");
        assertThat(told.why()).contains("Command exited with status 1");
    }

    @Test
    void aServiceWithAHealthCheckIsFollowedUntilItPasses() {
        api.answers("v2/apps", "{}");
        api.answers("v2/apps/demo", app(checked("")), app(checked("""
                {"alive": false, "lastFailureCause": "503 Service Unavailable"}""")), app(checked("{\"alive\": true}")));
        api.answers("master/state", "{}");

        var told = run().service(work(CHECKED, Framework.MARATHON), true);

        assertThat(told.state()).isEqualTo("healthy");
        assertThat(told.isWell()).isTrue();
        assertThat(told.where()).containsExactly("10.0.0.5 31001");
    }

    @Test
    void anUnhealthyServiceIsToldWithItsReason() {
        api.answers("v2/apps", "{}");
        api.answers("v2/apps/demo", app(checked("""
                {"alive": false, "lastFailureCause": "503 Service Unavailable"}""")));
        api.answers("master/state", "{}");

        var told = run().service(work(CHECKED, Framework.MARATHON), true);

        assertThat(told.state()).isEqualTo("unhealthy");
        assertThat(told.isWell()).isFalse();
        assertThat(told.why()).contains("Its health check fails: 503 Service Unavailable");

        // Killed for it and started again, not yet checked.
        api.answers("v2/apps/demo", """
                {"app": {"tasks": [%s], "lastTaskFailure": {"message": "Task was killed since health check failed."}}}""".formatted(checked("")));
        assertThat(run().service(work(CHECKED, Framework.MARATHON), true).why())
                .contains("Task was killed since health check failed.");

        api.answers("v2/apps/demo", app(checked("")));
        assertThat(run().service(work(CHECKED, Framework.MARATHON), true).why())
                .contains("After 20 s its tasks run, but no health check has passed.");
    }

    @Test
    void aJobHasFailedWhenChronosCountsAFailureWhichIsAfterItsLastAttempt() {
        api.answers("v1/scheduler/iso8601", "");
        api.answers("v1/scheduler/jobs", "[]", jobs(0, 0), jobs(0, 0), jobs(0, 1));
        api.answers("master/state", "{}");

        var told = run().job(work("{name: demo, command: exit 1, retries: 1}", Framework.CHRONOS), true, false);

        assertThat(told.state()).isEqualTo("failed");
        assertThat(told.why()).contains("It failed 2 times.");
    }

    @Test
    void aJobWithATimeIsLeftToIt() {
        api.answers("v1/scheduler/iso8601", "");
        api.answers("v1/scheduler/jobs", "[]");
        var work = work("{name: demo, command: date, schedule: R/2030-01-01T00:00:00Z/PT24H}", Framework.CHRONOS);

        assertThat(run().job(work, true, false).state()).isEqualTo("submitted");

        api.answers("v1/scheduler/job/demo", "");
        api.answers("v1/scheduler/jobs", "[]", jobs(0, 0), jobs(1, 0));
        api.answers("master/state", "{}");
        assertThat(run().job(work, true, true).state()).isEqualTo("done");
        assertThat(api.asked.indexOf("PUT v1/scheduler/job/demo"))
                .as("Chronos knows a new job only after its answer to POST")
                .isGreaterThan(api.asked.lastIndexOf("POST v1/scheduler/iso8601") + 2);
    }

    @Test
    void aJobThatChronosNeverRegistersIsNotStarted() {
        api.answers("v1/scheduler/iso8601", "");
        api.answers("v1/scheduler/jobs", "[]");
        api.answers("master/state", "{}");
        var work = work("{name: demo, command: date, schedule: R/2030-01-01T00:00:00Z/PT24H}", Framework.CHRONOS);

        var told = run().job(work, true, true);

        assertThat(told.isWell()).isFalse();
        assertThat(told.why()).contains("After 20 s Chronos has not registered it.");
    }

    @Test
    void aJobWithParentsIsLeftToThem() {
        api.answers("v1/scheduler/jobs", "[{\"name\": \"fetch\"}]");
        api.answers("v1/scheduler/dependency", "");

        var told = run().job(work("{name: demo, command: date, parents: [fetch]}", Framework.CHRONOS), true, false);

        assertThat(told.state()).isEqualTo("submitted");
        assertThat(api.asked).containsExactly("GET v1/scheduler/jobs", "POST v1/scheduler/dependency");
    }

    @Test
    void aJobWhoseParentsDoNotExistIsNotSent() {
        api.answers("v1/scheduler/jobs", "[{\"name\": \"fetch\"}]");

        assertReads(
                "mesos/DS8005-parents-that-do-not-exist",
                () -> run().job(
                                work("{name: demo, command: date, parents: [fetch, unpack, sort]}", Framework.CHRONOS),
                                true,
                                false));
        assertThat(api.asked).containsExactly("GET v1/scheduler/jobs");
    }

    @Test
    void aJobThatWouldWaitForItselfIsNotSent() {
        api.answers("v1/scheduler/jobs", """
                [{"name": "fetch", "parents": ["first"]}, {"name": "first", "parents": ["demo"]}, {"name": "demo"}]""");

        assertReads(
                "mesos/DS8005-parents-in-a-circle",
                () -> run().job(work("{name: demo, command: date, parents: [fetch]}", Framework.CHRONOS), true, false));
        assertThat(api.asked).containsExactly("GET v1/scheduler/jobs");
    }

    @Test
    void whatAJobOfThatNameDidBeforeIsNotItsEnd() {
        api.answers("v1/scheduler/iso8601", "");
        api.answers("v1/scheduler/jobs", ran(3, 1, "2029-12-31T00:00:00.000Z"));
        // Chronos counts a job that is posted again from zero, and forgets its last success.
        api.afterwards("v1/scheduler/iso8601", "v1/scheduler/jobs", ran(0, 0, ""), ran(0, 1, ""));
        api.answers("master/state", "{}");

        var told = run().job(work("{name: demo, command: exit 1, retries: 0}", Framework.CHRONOS), true, false);

        assertThat(told.state()).isEqualTo("failed");
        assertThat(told.why()).contains("It failed once.");
    }

    @Test
    void aTaskThatChronosDoesNotCountIsTold() {
        api.answers("v1/scheduler/iso8601", "");
        api.answers("v1/scheduler/jobs", jobs(0, 0));
        api.answers("master/state", "{}", """
                {"frameworks": [{"completed_tasks": [
                  {"id": "ct:1:0:other:", "state": "TASK_ERROR"}, {"id": "ct:1:0:demo:", "state": "TASK_KILLED"}]}]}""");

        var told = run().job(work("{name: demo, command: date}", Framework.CHRONOS), true, false);

        assertThat(told.why())
                .contains(
                        "After 20 s it has not ended. Its task ended with TASK_KILLED, which Chronos counts as nothing.");
    }

    @Test
    void whatAJobOfThatNameWroteBeforeIsNotShownAgain() {
        api.answers("v1/scheduler/iso8601", "");
        api.answers("v1/scheduler/jobs", jobs(1, 0));
        api.afterwards("v1/scheduler/iso8601", "v1/scheduler/jobs", jobs(0, 0), jobs(1, 0));
        api.answers("master/state", state("ct:1:0:demo:"), state("ct:1:0:demo:", "ct:2:0:demo:"));
        api.answers("state", """
                {"frameworks": [{"executors": [{"id": "ct:1:0:demo:", "directory": "/1"}, {"id": "ct:2:0:demo:", "directory": "/2"}]}]}""");
        api.answers("files/read?path=%2F2%2Fstdout&offset=0&length=65536", "{\"data\": \"now\\n\"}");
        api.answers("files/read?path=%2F2%2Fstdout&offset=4&length=65536", "{\"data\": \"\"}");
        api.answers("files/read?path=%2F2%2Fstderr&offset=0&length=65536", "{\"data\": \"\"}");

        var told = run().job(work("{name: demo, command: date}", Framework.CHRONOS), true, false);

        assertThat(told.stdout()).isEqualTo("now\n");
    }

    @Test
    void reportsAnUnreachableGateway() {
        var gateway = new MesosByGateway("https://127.0.0.1:9", Secret.of("token"), Optional.empty(), Map.of());

        assertReads(
                "mesos/DS8005-nobody-at-the-door",
                () -> gateway.ask(Part.Service.MARATHON, "GET", "v2/apps", Optional.empty()));
    }

    private MesosRun run() {
        return new MesosRun(api, () -> api.now, api::pass, Duration.ofSeconds(20));
    }

    private static Work work(String yaml, Framework framework) {
        return WorkLoader.load("work.yaml", yaml, framework);
    }

    private static String app(String tasks) {
        return "{\"app\": {\"tasks\": [" + tasks + "]}}";
    }

    /** @param results of its health check */
    private static String checked(String results) {
        return """
                {"id": "demo.1", "host": "10.0.0.5", "ports": [31001], "startedAt": "2030-01-01T00:00:00Z", "healthCheckResults": [%s]}""".formatted(results);
    }

    private static String ran(int successes, int errors, String lastSuccess) {
        return "[{\"name\": \"demo\", \"successCount\": %d, \"errorCount\": %d, \"lastSuccess\": \"%s\"}]"
                .formatted(successes, errors, lastSuccess);
    }

    private static String state(String... tasks) {
        return "{\"slaves\": [{\"id\": \"S0\", \"hostname\": \"10.0.0.5\"}], \"frameworks\": [{\"completed_tasks\": ["
                + Stream.of(tasks)
                        .map("{\"id\": \"%s\", \"slave_id\": \"S0\"}"::formatted)
                        .collect(Collectors.joining(", "))
                + "]}]}";
    }

    private static String jobs(int successes, int errors) {
        return "[{\"name\": \"other\"}, {\"name\": \"demo\", \"successCount\": %d, \"errorCount\": %d}]"
                .formatted(successes, errors);
    }

    /** Returns the answers of each path in turn, then repeats the last one. */
    private static final class Answers implements MesosApi {
        private final Map<String, List<String>> left = new LinkedHashMap<>();
        private final Map<String, Runnable> later = new LinkedHashMap<>();
        private final List<String> asked = new ArrayList<>();
        private Instant now = Instant.parse("2030-01-01T00:00:00Z");

        void answers(String path, String... texts) {
            left.put(path, new ArrayList<>(List.of(texts)));
        }

        /** From the next request for {@code trigger} on. */
        void afterwards(String trigger, String path, String... texts) {
            later.put(trigger, () -> answers(path, texts));
        }

        void pass(Duration time) {
            now = now.plus(time);
        }

        @Override
        public String ask(Part part, String method, String path, Optional<String> body) {
            asked.add(method + " " + path);
            later.getOrDefault(path, () -> {}).run();
            var texts = left.get(path);
            assertThat(texts).as(method + " " + path).isNotNull();
            return texts.size() > 1 ? texts.removeFirst() : texts.getFirst();
        }
    }
}
