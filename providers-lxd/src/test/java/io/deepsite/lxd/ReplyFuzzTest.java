package io.deepsite.lxd;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.Fuzz;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Tags.Scope.AllSites;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

/** Fuzzes LXD's answers, and the messages about them. */
class ReplyFuzzTest {
    /** Answers by path, cut to the relevant fields. */
    private static final Map<String, String> ANSWERS = new TreeMap<>(Map.of(
            "/1.0",
                    "{'auth':'trusted','environment':{'server_name':'h','server_version':'5.0.2','server_clustered':false,"
                            + "'storage_supported_drivers':[{'Name':'btrfs'}]}}",
            "/1.0/projects/default", "{'name':'default','config':{'features.images':'true'}}",
            "/1.0/instances",
                    "[{'name':'demo-head','status':'Running','type':'container','config':{'limits.cpu':'2',"
                            + "'limits.memory':'1GiB','user.deepsite.site':'demo','user.deepsite.id':'instance/head',"
                            + "'user.deepsite.lineage':'l1'},'devices':{'eth0':{'network':'lxdbr0','type':'nic',"
                            + "'ipv4.address':'10.80.3.2'},'root':{'path':'/','pool':'nova','type':'disk'}},'profiles':['default']}]",
            "/1.0/storage-pools",
                    "[{'name':'nova','driver':'btrfs','status':'Created','config':{'size':'20GiB'},"
                            + "'used_by':['/1.0/instances/demo-head']}]",
            "/1.0/storage-pools/nova/volumes/custom",
                    "[{'name':'demo-home','type':'custom','config':{'size':'1GiB',"
                            + "'user.deepsite.site':'demo','user.deepsite.id':'volume/home','user.deepsite.lineage':'l1'},"
                            + "'used_by':[]}]",
            "/1.0/networks",
                    "[{'name':'lxdbr0','type':'bridge','managed':true,'status':'Created',"
                            + "'config':{'ipv4.address':'10.80.3.1/24'},'used_by':[]}]",
            "/1.0/networks/lxdbr0/leases", "[{'hostname':'demo-head','address':'10.80.3.2','type':'static'}]",
            "/1.0/images",
                    "[{'fingerprint':'f00','size':7,'type':'container','properties':{'os':'Debian'},"
                            + "'aliases':[{'name':'debian/12'}]}]",
            "/1.0/resources",
                    "{'gpu':{'cards':[{'driver':'nvidia','pci_address':'0000:01:00.0','vendor_id':'10de',"
                            + "'product':'T4'}]},'network':{'cards':[{'ports':[{'id':'eth0','protocol':'ethernet'}]}]}}",
            "/1.0/profiles", "[{'name':'default','devices':{'root':{'path':'/','pool':'nova','type':'disk'}}}]"));

    @Test
    void answerIsReadOrRefused() {
        Fuzz.run(
                "lxd",
                List.of(Recorded.text("host.json"), Recorded.text("cards.json")),
                text -> Rest.read(Json.MAPPER.readTree(text), Snapshot.class, "GET /"),
                JacksonException.class,
                Refusal.class);
    }

    /** Damages each answer of a survey in turn. */
    @Test
    void surveyEndsWithASnapshotOrADiagnostic() {
        var turn = new AtomicInteger();
        var paths = List.copyOf(ANSWERS.keySet());
        assertThat(look("", "")).isEqualTo(2);
        Fuzz.run(
                "lxd survey",
                ANSWERS.values().stream().map(ReplyFuzzTest::sync).toList(),
                text -> look(paths.get(turn.getAndIncrement() % paths.size()), text),
                Failure.class);
    }

    /** @return how many objects of sites it found */
    private static int look(String damaged, String text) {
        Interceptor answers = chain -> {
            var path = chain.request().url().encodedPath();
            boolean known = ANSWERS.containsKey(path);
            var whole = known ? sync(ANSWERS.getOrDefault(path, "")) : "{\"type\":\"error\",\"error\":\"not found\"}";
            return new Response.Builder()
                    .request(chain.request())
                    .protocol(Protocol.HTTP_1_1)
                    .code(known ? 200 : 404)
                    .message("OK")
                    .body(ResponseBody.create(path.equals(damaged) ? text : whole, MediaType.get("application/json")))
                    .build();
        };
        var client = new OkHttpClient.Builder().addInterceptor(answers).build();
        var endpoint = new Endpoint(client, HttpUrl.get("http://lxd.example/"));
        try (var provider = new LxdProvider(Recorded.settings(), endpoint, Path.of(""))) {
            var survey = provider.survey(new AllSites());
            survey.backEnd();
            return survey.owned().size();
        }
    }

    private static String sync(String metadata) {
        return "{\"type\":\"sync\",\"metadata\":" + metadata.replace('\'', '"') + "}";
    }

    @Test
    void eventIsOfAnOperationOrIgnored() {
        Fuzz.run(
                "lxd events",
                List.of("{\"type\":\"operation\",\"metadata\":{\"id\":\"u\",\"status\":\"Running\",\"status_code\":103,"
                        + "\"metadata\":{\"download_progress\":\"rootfs: 5%\"}}}"),
                text -> Events.Event.read(text).ifPresent(event -> {
                    event.metadata().progress();
                    event.metadata().id();
                }));
    }

    @Test
    void tokenIsReadOrRefused() {
        Fuzz.run(
                "token",
                List.of("eyJjbGllbnRfbmFtZSI6ImQifQ=="),
                text -> TrustToken.read(text, Daemon.LXD),
                Failure.class);
    }
}
