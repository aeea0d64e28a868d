package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.provider.Boot.BootFile;
import io.deepsite.provider.Call;
import io.deepsite.provider.ObservedResource;
import io.deepsite.provider.ObservedResource.Condition;
import io.deepsite.provider.Resource;
import io.deepsite.provider.ResourceId;
import io.deepsite.provider.Tags;
import io.deepsite.provider.Tags.Scope.AllSites;
import io.deepsite.site.Name;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import okhttp3.OkHttpClient;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The provider's requests to a scripted LXD, and how it handles the answers. */
final class LxdCallsTest {
    private static final Tags TAGS = new Tags(new Name("demo"), "l1", Optional.empty());
    private static final ResourceId HEAD = new ResourceId(ResourceId.MACHINE, "head");
    private static final String NOT_FOUND = "{\"type\":\"error\",\"error\":\"not found\",\"error_code\":404}";
    private static final String STARTED = "{\"type\":\"async\",\"operation\":\"/1.0/operations/op1\",\"metadata\":{}}";
    private static final String NO_OPERATIONS = "{\"type\":\"sync\",\"metadata\":{}}";

    private final MockWebServer server = new MockWebServer();
    private final List<String> requests = new ArrayList<>();
    private final Map<String, List<MockResponse>> answers = new TreeMap<>();
    private LxdProvider provider;

    @BeforeEach
    void start() throws IOException {
        server.setDispatcher(new Dispatcher() {
            @Override
            public MockResponse dispatch(RecordedRequest request) {
                return answer(request.getMethod() + " " + request.getUrl().encodedPath());
            }
        });
        server.start();
        provider = new LxdProvider(Recorded.settings(), new Endpoint(new OkHttpClient(), server.url("/")), Path.of(""));
        on("GET /1.0/events", 404, NOT_FOUND);
        on("GET /1.0/operations", 200, NO_OPERATIONS);
        on("GET /1.0/operations/op1/wait", 200, ended(200, ""));
    }

    @AfterEach
    void stop() {
        provider.close();
        server.close();
    }

    private synchronized MockResponse answer(String request) {
        if (!request.contains("/events")) {
            requests.add(request);
        }
        var known = answers.getOrDefault(request, List.of());
        if (known.isEmpty()) {
            return response(500, "{\"type\":\"error\",\"error\":\"unexpected " + request + "\"}");
        }
        return known.size() > 1 ? known.removeFirst() : known.getFirst();
    }

    @Test
    void createsWithTagsThenFilesThenStartsThenMarks() {
        on("GET /1.0/instances/demo-head", 404, NOT_FOUND);
        on("GET /1.0/instances/demo-head", 200, instance("Stopped", "\"image.deepsite.hostname\":\"x\""));
        on("POST /1.0/instances", 202, STARTED);
        on("POST /1.0/instances/demo-head/files", 200, "{\"type\":\"sync\",\"metadata\":{}}");
        on("PUT /1.0/instances/demo-head/state", 202, STARTED);
        on("PATCH /1.0/instances/demo-head", 200, "{\"type\":\"sync\",\"metadata\":{}}");

        provider.create(machine(), TAGS, new Boot(List.of(new BootFile("/etc/k", 0600, "secret"))), Call.QUIET);

        assertThat(requests)
                .containsExactly(
                        "GET /1.0/operations",
                        "GET /1.0/instances/demo-head",
                        "POST /1.0/instances",
                        "GET /1.0/operations/op1/wait",
                        "GET /1.0/instances/demo-head",
                        "POST /1.0/instances/demo-head/files",
                        "PUT /1.0/instances/demo-head/state",
                        "GET /1.0/operations/op1/wait",
                        "PATCH /1.0/instances/demo-head");
    }

    @Test
    void waitThatIncusFailsBeforeTheEndOfTheOperationGoesOn() {
        on("GET /1.0/instances/demo-head", 200, instance("Running", ours()));
        on("GET /1.0/instances/demo-head", 200, instance("Stopped", ours()));
        on("PUT /1.0/instances/demo-head/state", 202, STARTED);
        on("DELETE /1.0/instances/demo-head", 202, STARTED);
        answers.remove("GET /1.0/operations/op1/wait");
        on("GET /1.0/operations/op1/wait", 200, """
                {"type":"error","error_code":500,"error":"context deadline exceeded","metadata":null}""");
        on("GET /1.0/operations/op1/wait", 200, ended(200, ""));
        on("GET /1.0/operations/op1", 200, ended(103, ""));

        provider.delete(seen(), Call.QUIET);

        assertThat(requests)
                .containsSubsequence(
                        "GET /1.0/operations/op1/wait",
                        "GET /1.0/operations/op1",
                        "GET /1.0/operations/op1/wait",
                        "DELETE /1.0/instances/demo-head");
    }

    @Test
    void publishesAMachineThatDoesNotRunAnyMore() {
        on("GET /1.0/images/aliases/deepsite-1", 404, NOT_FOUND);
        on("GET /1.0/images/f00", 200, "{\"type\":\"sync\",\"metadata\":{\"fingerprint\":\"f00\"}}");
        on("GET /1.0/instances/demo-head", 200, instance("Running", ours()));
        on("PUT /1.0/instances/demo-head/state", 202, STARTED);
        on("POST /1.0/images", 202, STARTED);

        provider.images().orElseThrow().publish(seen(), "deepsite-1", "debian/12 with munge", Call.QUIET);

        assertThat(requests)
                .containsExactly(
                        "GET /1.0/images/aliases/deepsite-1",
                        "GET /1.0/images/f00",
                        "GET /1.0/operations",
                        "GET /1.0/instances/demo-head",
                        "PUT /1.0/instances/demo-head/state",
                        "GET /1.0/operations/op1/wait",
                        "POST /1.0/images",
                        "GET /1.0/operations/op1/wait");
    }

    @Test
    void imageThatIsThereIsNotPublishedAgain() {
        on(
                "GET /1.0/images/aliases/deepsite-1",
                200,
                "{\"type\":\"sync\",\"metadata\":{\"name\":\"x\",\"target\":\"f01\"}}");

        provider.images().orElseThrow().publish(seen(), "deepsite-1", "debian/12 with munge", Call.QUIET);

        assertThat(requests).containsExactly("GET /1.0/images/aliases/deepsite-1");
    }

    @Test
    void operationThatFailedIsAFailureThoughTheWaitAnswers200() {
        on("GET /1.0/instances/demo-head", 404, NOT_FOUND);
        on("POST /1.0/instances", 202, STARTED);
        answers.remove("GET /1.0/operations/op1/wait");
        on("GET /1.0/operations/op1/wait", 200, ended(400, "Failed creating instance: No space left on device"));

        var fault = failure(() -> provider.create(machine(), TAGS, Boot.NONE, Call.QUIET));

        assertThat(fault.code()).isEqualTo(Code.LXD_POOL_FULL);
        assertThat(fault.why()).contains("POST /1.0/instances", "No space left", "The machine demo-head was not made.");
    }

    @Test
    void retriesACreateAfterAFaultOfLxd() {
        on("GET /1.0/instances/demo-head", 404, NOT_FOUND);
        on("GET /1.0/instances/demo-head", 404, NOT_FOUND);
        on("GET /1.0/instances/demo-head", 200, instance("Stopped", "\"image.deepsite.hostname\":\"x\""));
        on("POST /1.0/instances", 202, STARTED);
        on("PUT /1.0/instances/demo-head/state", 202, STARTED);
        on("PATCH /1.0/instances/demo-head", 200, "{\"type\":\"sync\",\"metadata\":{}}");
        answers.remove("GET /1.0/operations/op1/wait");
        on(
                "GET /1.0/operations/op1/wait",
                200,
                ended(400, "Failed creating instance from image: readdirent /x: bad file descriptor"));
        on("GET /1.0/operations/op1/wait", 200, ended(200, ""));

        provider.create(machine(), TAGS, Boot.NONE, Call.QUIET);

        assertThat(requests).filteredOn("POST /1.0/instances"::equals).hasSize(2);
        assertThat(requests).last().isEqualTo("PATCH /1.0/instances/demo-head");
    }

    @Test
    void retriesACreateWhoseFilesLxdCouldNotWrite() {
        on("GET /1.0/instances/demo-head", 404, NOT_FOUND);
        on("GET /1.0/instances/demo-head", 200, instance("Stopped", ours() + ",\"image.deepsite.hostname\":\"x\""));
        on("DELETE /1.0/instances/demo-head", 202, STARTED);
        on("POST /1.0/instances", 202, STARTED);
        on("PUT /1.0/instances/demo-head/state", 202, STARTED);
        on("PATCH /1.0/instances/demo-head", 200, "{\"type\":\"sync\",\"metadata\":{}}");
        // Seen on LXD 5.0.2 under load.
        on(
                "POST /1.0/instances/demo-head/files",
                500,
                "{\"type\":\"error\",\"error\":\"dial unix /proc/self/fd/123/forkfile.sock: connect: no such file or directory\"}");
        on("POST /1.0/instances/demo-head/files", 200, "{\"type\":\"sync\",\"metadata\":{}}");

        provider.create(machine(), TAGS, new Boot(List.of(new Boot.BootFile("/etc/x", 0600, "x"))), Call.QUIET);

        assertThat(requests)
                .filteredOn("POST /1.0/instances/demo-head/files"::equals)
                .hasSize(2);
        assertThat(requests).last().isEqualTo("PATCH /1.0/instances/demo-head");
    }

    @Test
    void retriesADeleteAfterAFaultOfLxd() {
        on("GET /1.0/instances/demo-head", 200, instance("Stopped", ours()));
        on("DELETE /1.0/instances/demo-head", 202, STARTED);
        answers.remove("GET /1.0/operations/op1/wait");
        on("GET /1.0/operations/op1/wait", 200, ended(400, "readdirent /x: bad file descriptor"));
        on("GET /1.0/operations/op1/wait", 200, ended(200, ""));

        provider.delete(seen(), Call.QUIET);

        assertThat(requests)
                .filteredOn("DELETE /1.0/instances/demo-head"::equals)
                .hasSize(2);
    }

    @Test
    void lastingFaultOfLxdIsReportedWithWhatIsLeft() {
        on("GET /1.0/instances/demo-head", 200, instance("Stopped", ours()));
        on("DELETE /1.0/instances/demo-head", 202, STARTED);
        answers.remove("GET /1.0/operations/op1/wait");
        on("GET /1.0/operations/op1/wait", 200, ended(400, "readdirent /x: bad file descriptor"));

        var fault = failure(() -> provider.delete(seen(), Call.QUIET));

        assertThat(fault.why()).contains("bad file descriptor", "The machine demo-head is still there.");
        assertThat(requests)
                .filteredOn("DELETE /1.0/instances/demo-head"::equals)
                .hasSize(3);
    }

    @Test
    void namesTheOwnerOfTheSubnetIfLxdRefusesANetwork() {
        on("GET /1.0/networks/lab0", 404, NOT_FOUND);
        on("GET /1.0/networks", 200, networks(""));
        on("GET /1.0/networks", 200, networks("10.80.0.1/16"));
        on("GET /1.0/networks/other0/state", 200, "{\"type\":\"sync\",\"metadata\":{\"addresses\":null}}");
        on("POST /1.0/networks", 400, "{\"type\":\"error\",\"error\":\"dnsmasq: Address already in use\"}");

        var fault = failure(() -> provider.create(network(), TAGS, Boot.NONE, Call.QUIET));

        assertThat(fault.code()).isEqualTo(Code.CHANGED_SINCE_PLAN);
        assertThat(fault.why()).contains("10.80.3.1/24", "lab0", "other0 (10.80.0.1/16)", "was not made");
    }

    @Test
    void networkRefusedForAnotherReasonIsAPlainRefusal() {
        on("GET /1.0/networks/lab0", 404, NOT_FOUND);
        on("GET /1.0/networks", 200, networks(""));
        on("POST /1.0/networks", 400, "{\"type\":\"error\",\"error\":\"Interface name is too long\"}");

        var fault = failure(() -> provider.create(network(), TAGS, Boot.NONE, Call.QUIET));

        assertThat(fault.code()).isEqualTo(Code.PROVIDER_REFUSED);
        assertThat(fault.why()).contains("too long");
    }

    @Test
    void makesNoNetworkThatOverlapsAnotherInterface() {
        on("GET /1.0/networks/lab0", 404, NOT_FOUND);
        on("GET /1.0/networks", 200, networks("none"));
        on(
                "GET /1.0/networks/other0/state",
                200,
                "{\"type\":\"sync\",\"metadata\":{\"addresses\":[{\"family\":\"inet\",\"address\":\"10.80.3.9\",\"netmask\":\"24\"}]}}");

        assertThat(failure(() -> provider.create(network(), TAGS, Boot.NONE, Call.QUIET))
                        .code())
                .isEqualTo(Code.CHANGED_SINCE_PLAN);
        assertThat(requests).doesNotContain("POST /1.0/networks");
    }

    @Test
    void reportsWhichMachineCannotAnswer() {
        on("GET /1.0/instances/demo-head", 200, instance("Stopped", ours()));
        on("GET /1.0/instances/demo-head", 200, instance("Running", ours()));
        on("GET /1.0/instances/demo-head", 404, NOT_FOUND);

        assertThat(provider.down("head", TAGS.site())).hasValue("its status is Stopped");
        assertThat(provider.down("head", TAGS.site())).isEmpty();
        assertThat(provider.down("head", TAGS.site())).hasValue("it is not there");
    }

    @Test
    void failedStartReportsAHalfMadeMachine() {
        on("GET /1.0/instances/demo-head", 404, NOT_FOUND);
        on("GET /1.0/instances/demo-head", 200, instance("Stopped", "\"image.deepsite.hostname\":\"x\""));
        on("POST /1.0/instances", 202, STARTED);
        on("PUT /1.0/instances/demo-head/state", 202, STARTED);
        answers.remove("GET /1.0/operations/op1/wait");
        on("GET /1.0/operations/op1/wait", 200, ended(200, ""));
        on(
                "GET /1.0/operations/op1/wait",
                200,
                ended(400, "Failed to start device \\\"gpu0\\\": Failed to detect requested GPU device"));

        var fault = failure(() -> provider.create(machine(), TAGS, Boot.NONE, Call.QUIET));

        assertThat(fault.code()).isEqualTo(Code.LXD_DEVICE_REFUSED);
        assertThat(fault.why()).contains("marked half made");
        assertThat(requests).doesNotContain("PATCH /1.0/instances/demo-head");
    }

    @Test
    void forgottenOperationCountsIfTheInstanceShowsIt() {
        on("GET /1.0/instances/demo-head", 200, instance("Running", ours()));
        on("GET /1.0/instances/demo-head", 200, instance("Stopped", ours()));
        on("GET /1.0/instances/demo-head", 404, NOT_FOUND);
        on("PUT /1.0/instances/demo-head/state", 202, STARTED);
        on("DELETE /1.0/instances/demo-head", 202, STARTED);
        answers.remove("GET /1.0/operations/op1/wait");
        on("GET /1.0/operations/op1/wait", 404, NOT_FOUND);

        provider.delete(seen(), Call.QUIET);

        assertThat(requests).contains("DELETE /1.0/instances/demo-head");
    }

    @Test
    void foreignInstanceIsNeitherReplacedNorDeleted() {
        on("GET /1.0/instances/demo-head", 200, instance("Running", "\"user.other\":\"x\""));

        assertThat(failure(() -> provider.create(machine(), TAGS, Boot.NONE, Call.QUIET))
                        .code())
                .isEqualTo(Code.NAME_TAKEN);
        assertThat(failure(() -> provider.delete(seen(), Call.QUIET)).code()).isEqualTo(Code.NAME_TAKEN);
        assertThat(requests).allMatch(request -> request.startsWith("GET "));
    }

    /** Otherwise every command takes longer on a full LXD. */
    @Test
    void surveySendsOneRequestPerKind() {
        on("GET /1.0", 200, "{\"type\":\"sync\",\"metadata\":{\"auth\":\"trusted\"}}");
        on("GET /1.0/projects/default", 200, "{\"type\":\"sync\",\"metadata\":{\"name\":\"default\",\"config\":{}}}");
        on("GET /1.0/instances", 200, instances(20));
        on("GET /1.0/networks", 200, networks("10.80.3.1/24").replace("other0", "lxdbr0"));
        on("GET /1.0/resources", 200, "{\"type\":\"sync\",\"metadata\":{\"gpu\":{\"cards\":[]}}}");
        for (var empty : List.of("storage-pools", "images", "profiles", "networks/lxdbr0/leases")) {
            on("GET /1.0/" + empty, 200, "{\"type\":\"sync\",\"metadata\":[]}");
        }

        assertThat(provider.survey(new AllSites()).owned()).hasSize(20);

        assertThat(requests).doesNotHaveDuplicates().hasSize(9);
    }

    private static String instances(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> "{\"name\":\"demo-n" + number + "\",\"status\":\"Running\",\"config\":{"
                        + ours().replace("head", "n" + number) + "}}")
                .collect(Collectors.joining(",", "{\"type\":\"sync\",\"metadata\":[", "]}"));
    }

    @Test
    void waitsOnlyWhileLxdIsBusy() {
        on("GET /1.0", 503, "{\"type\":\"error\",\"error\":\"LXD daemon is starting up\"}");
        on("GET /1.0", 500, "{\"type\":\"error\",\"error\":\"Failed: database is locked\"}");
        on("GET /1.0", 500, "{\"type\":\"error\",\"error\":\"readdirent /sys/x: bad file descriptor\"}");
        on("GET /1.0", 400, "{\"type\":\"error\",\"error\":\"bad request\"}");

        var fault = failure(() -> provider.survey(new AllSites()));

        assertThat(fault.code()).isEqualTo(Code.PROVIDER_REFUSED);
        assertThat(fault.why()).contains("answered 400 to GET /1.0: bad request", Faults.NOTHING_CHANGED);
        assertThat(requests).containsExactly("GET /1.0", "GET /1.0", "GET /1.0", "GET /1.0");
    }

    @Test
    void untrustedClientReadsHowToEnroll() {
        on("GET /1.0", 200, "{\"type\":\"sync\",\"metadata\":{\"auth\":\"untrusted\"}}");

        var fault = failure(() -> provider.survey(new AllSites()));

        assertThat(fault.code()).isEqualTo(Code.LXD_NOT_TRUSTED);
        assertThat(fault.commands()).contains("deepsite enroll --token-file lxd.token");
    }

    @Test
    void answerWithoutJsonIsNotLxd() {
        on("GET /1.0", 200, "<html>proxy</html>");

        assertThat(failure(() -> provider.survey(new AllSites())).why()).contains("not JSON", "<html>proxy</html>");
    }

    /** The server may be a proxy, another program, or an unknown version of LXD. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"type\":\"sync\",\"metadata\":{\"auth\":[{}]}}",
                "{\"type\":\"sync\",\"metadata\":{\"auth\":null}}",
                "{\"type\":\"sync\",\"metadata\":\"x\"}",
                "{\"type\":\"sync\",\"metadata\":null}",
                "{\"type\":\"sync\"}",
                "{\"type\":{},\"metadata\":{\"auth\":\"trusted\"}}",
                "{}",
                "[]",
                "null",
                "1",
                ""
            })
    void answerInAnotherFormatIsReported(String body) {
        on("GET /1.0", 200, body);

        var fault = failure(() -> provider.survey(new AllSites()));

        assertThat(fault.code()).isEqualTo(Code.PROVIDER_REFUSED);
        assertThat(fault.why())
                .contains("answered 200 to GET /1.0: not an answer of this API", Faults.NOTHING_CHANGED)
                .doesNotContain("io.deepsite", "tools.jackson");
    }

    @Test
    void listInAnotherFormatIsNotEmpty() {
        on("GET /1.0", 200, "{\"type\":\"sync\",\"metadata\":{\"auth\":\"trusted\"}}");
        on("GET /1.0/projects/default", 200, "{\"type\":\"sync\",\"metadata\":{\"name\":\"default\",\"config\":{}}}");
        on("GET /1.0/networks", 200, networks("10.80.3.1/24").replace("other0", "lxdbr0"));
        on("GET /1.0/resources", 200, "{\"type\":\"sync\",\"metadata\":{\"gpu\":{\"cards\":[]}}}");
        for (var empty : List.of("storage-pools", "images", "profiles", "networks/lxdbr0/leases")) {
            on("GET /1.0/" + empty, 200, "{\"type\":\"sync\",\"metadata\":[]}");
        }
        for (var metadata : List.of("{}", "\"x\"", "[{\"name\":null}]", "[null]", "[{\"name\":\"a\",\"config\":[]}]")) {
            answers.remove("GET /1.0/instances");
            on("GET /1.0/instances", 200, "{\"type\":\"sync\",\"metadata\":" + metadata + "}");

            assertThat(failure(() -> provider.survey(new AllSites())).why())
                    .as(metadata)
                    .contains("answered 200 to GET /1.0/instances: not an answer of this API");
        }
        answers.remove("GET /1.0/instances");
        on("GET /1.0/instances", 200, "{\"type\":\"sync\",\"metadata\":null}");
        assertThat(provider.survey(new AllSites()).owned()).isEmpty();
    }

    @Test
    void usersAreNamedInEveryFormat() {
        holdsThePoolOfDemoAnd("");
        on("GET /1.0/storage-pools/p/volumes/custom", 200, "{\"type\":\"sync\",\"metadata\":null}");

        assertThat(provider.survey(new AllSites()).owned())
                .singleElement()
                .satisfies(pool ->
                        assertThat(pool.usedBy()).contains("x", "instance a").hasSize(4));
    }

    /** Found by the soak lane while another lane deleted its own pools. */
    @Test
    void foreignPoolDeletedBetweenTwoRequestsHasNoVolumes() {
        holdsThePoolOfDemoAnd(",{\"name\":\"brief\",\"driver\":\"dir\",\"config\":{},\"used_by\":[]}");
        on("GET /1.0/storage-pools/p/volumes/custom", 200, "{\"type\":\"sync\",\"metadata\":null}");
        on("GET /1.0/storage-pools/brief/volumes/custom", 404, NOT_FOUND);

        assertThat(provider.survey(new AllSites()).owned()).singleElement();
    }

    private void holdsThePoolOfDemoAnd(String otherPools) {
        on("GET /1.0", 200, "{\"type\":\"sync\",\"metadata\":{\"auth\":\"trusted\"}}");
        on("GET /1.0/projects/default", 200, "{\"type\":\"sync\",\"metadata\":{\"name\":\"default\",\"config\":{}}}");
        on("GET /1.0/networks", 200, networks("10.80.3.1/24").replace("other0", "lxdbr0"));
        on("GET /1.0/resources", 200, "{\"type\":\"sync\",\"metadata\":{}}");
        on("GET /1.0/storage-pools", 200, """
                {"type":"sync","metadata":[{"name":"p","driver":"dir","config":{"user.deepsite.site":"demo",
                 "user.deepsite.id":"pool/p","user.deepsite.lineage":"l1"},"used_by":["x","","/1.0/","/1.0/instances/a"]}%s]}""".formatted(otherPools));
        for (var empty : List.of("instances", "images", "profiles", "networks/lxdbr0/leases")) {
            on("GET /1.0/" + empty, 200, "{\"type\":\"sync\",\"metadata\":null}");
        }
    }

    @Test
    void changeWithAnUnknownAnswerIsNotSuccess() {
        on("GET /1.0/instances/demo-head", 200, instance("Running", ours()));
        on("PATCH /1.0/instances/demo-head", 200, "{\"ok\":true}");

        assertThat(failure(() -> provider.retag(seen(), Optional.empty(), Call.QUIET))
                        .why())
                .contains("answered 200 to PATCH /1.0/instances/demo-head: not an answer of this API");
    }

    @Test
    void silentServerIsUnreachable() {
        server.close();

        assertThat(failure(() -> provider.survey(new AllSites())).code()).isEqualTo(Code.PROVIDER_UNREACHABLE);
    }

    @Test
    void waitsForARestartingLxd() {
        on("GET /1.0", 400, "{\"type\":\"error\",\"error\":\"bad request\"}");
        var down = new AtomicInteger();
        var client = new OkHttpClient.Builder()
                .addInterceptor(chain -> {
                    if (down.getAndDecrement() > 0) {
                        throw new ConnectException("Connection refused");
                    }
                    return chain.proceed(chain.request());
                })
                .build();
        try (var restarting =
                new LxdProvider(Recorded.settings(), new Endpoint(client, server.url("/")), Path.of(""))) {
            down.set(1);
            assertThat(failure(() -> restarting.survey(new AllSites())).code())
                    .as("one that never answered is not waited for")
                    .isEqualTo(Code.PROVIDER_UNREACHABLE);

            down.set(0);
            assertThat(failure(() -> restarting.survey(new AllSites())).code()).isEqualTo(Code.PROVIDER_REFUSED);
            down.set(3);
            assertThat(failure(() -> restarting.survey(new AllSites())).code()).isEqualTo(Code.PROVIDER_REFUSED);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"reset", "ended"})
    void aQuestionWhoseConnectionBreaksIsAskedAgainAndAChangeIsNot(String end) {
        on("GET /1.0", 400, "{\"type\":\"error\",\"error\":\"bad request\"}");
        var broken = new AtomicInteger(1);
        var changes = new AtomicInteger();
        var client = new OkHttpClient.Builder()
                .addInterceptor(chain -> {
                    boolean isQuestion = chain.request().method().equals("GET");
                    changes.addAndGet(isQuestion ? 0 : 1);
                    if (!isQuestion || broken.getAndDecrement() > 0) {
                        // As OkHttp tells both.
                        throw end.equals("reset")
                                ? new SocketException("Connection reset")
                                : new IOException("unexpected end of stream on http://lxd/...", new EOFException());
                    }
                    return chain.proceed(chain.request());
                })
                .build();
        var rest =
                new Rest(client, server.url("/"), "default", new Faults(new DaemonAddress(Daemon.LXD, "unix:///x")), 3);
        try (var resetting = new LxdProvider(Recorded.settings(), new Endpoint(client, server.url("/")), Path.of(""))) {
            assertThat(failure(() -> resetting.survey(new AllSites())).code()).isEqualTo(Code.PROVIDER_REFUSED);
        }

        assertThat(failure(() -> rest.delete(rest.path("instances", "demo-head")))
                        .code())
                .isEqualTo(Code.PROVIDER_UNREACHABLE);
        assertThat(changes).hasValue(1);
    }

    @Test
    void missingKernelModuleNamesTheCommandOfTheHost() {
        var refusal = new Refusal(400, "PUT /1.0/instances/x/state", "Failed to load kernel module 'overlay': exit 1");

        var fault = new Faults(new DaemonAddress(Daemon.LXD, "unix:///x"))
                .refused(refusal)
                .diagnostics()
                .getFirst();

        assertThat(fault.code()).isEqualTo(Code.LXD_MODULE_MISSING);
        assertThat(fault.commands()).containsExactly("sudo modprobe overlay");
    }

    @Test
    void missingRightsOnTheSocketNameTheGroupToJoin() {
        var fault = new Faults(new DaemonAddress(Daemon.LXD, "unix:///x"))
                .unreachable(new IOException("Permission denied"));

        assertThat(fault.diagnostics().getFirst().code()).isEqualTo(Code.LXD_NO_RIGHTS);
        assertThat(fault.diagnostics().getFirst().commands()).contains("sudo usermod -aG lxd \"$USER\"");
    }

    @Test
    void cancelIsForwardedToTheOperation() {
        on("GET /1.0/instances/demo-head", 200, instance("Running", ours()));
        on("PUT /1.0/instances/demo-head/state", 202, STARTED);
        on("DELETE /1.0/operations/op1", 200, "{\"type\":\"sync\",\"metadata\":{}}");
        answers.remove("GET /1.0/operations/op1/wait");
        on("GET /1.0/operations/op1/wait", 200, ended(401, ""));
        var cancelled = new Call() {
            @Override
            public void progress(String what) {}

            @Override
            public boolean cancelled() {
                return true;
            }
        };

        assertThat(failure(() -> provider.delete(seen(), cancelled)).code()).isEqualTo(Code.CANCELLED);
        assertThat(requests).contains("DELETE /1.0/operations/op1");
    }

    private synchronized void on(String request, int status, String body) {
        answers.computeIfAbsent(request, _ -> new ArrayList<>()).add(response(status, body));
    }

    private static MockResponse response(int status, String body) {
        return new MockResponse.Builder().code(status).body(body).build();
    }

    /** @param subnet of the only network; empty for no network */
    private static String networks(String subnet) {
        return "{\"type\":\"sync\",\"metadata\":["
                + (subnet.isEmpty()
                        ? ""
                        : "{\"name\":\"other0\",\"type\":\"bridge\",\"managed\":true,\"status\":\"Created\","
                                + "\"config\":{\"ipv4.address\":\"" + subnet + "\"}}")
                + "]}";
    }

    private static Resource network() {
        var subnet = new Resource.Attribute("10.80.3.1/24", Resource.Mutability.REPLACE);
        return new Resource(
                new ResourceId(NetworkAttributes.KIND, "lab0"),
                "lab0",
                new TreeMap<>(Map.of(NetworkAttributes.SUBNET, subnet)),
                List.of());
    }

    private static String ended(int status, String error) {
        return "{\"type\":\"sync\",\"metadata\":{\"id\":\"op1\",\"description\":\"Doing it\",\"status_code\":" + status
                + ",\"err\":\"" + error + "\"}}";
    }

    private static String instance(String status, String config) {
        return "{\"type\":\"sync\",\"metadata\":{\"name\":\"demo-head\",\"status\":\"" + status + "\",\"config\":{"
                + config + "}}}";
    }

    private static String ours() {
        return "\"user.deepsite.site\":\"demo\",\"user.deepsite.id\":\"instance/head\",\"user.deepsite.lineage\":\"l1\"";
    }

    private static Resource machine() {
        var attributes = new TreeMap<>(Map.of("fingerprint", MachineAttributes.attribute("fingerprint", "f00")));
        return new Resource(HEAD, "demo-head", attributes, List.of());
    }

    private static ObservedResource seen() {
        return new ObservedResource(
                HEAD, "demo-head", new TreeMap<>(Map.of("fingerprint", "f00")), TAGS, "1", Condition.READY, List.of());
    }

    private static Diagnostic failure(ThrowingCallable call) {
        var failure = catchThrowableOfType(Failure.class, call);
        assertThat(failure).isNotNull();
        return failure.diagnostics().getFirst();
    }
}
