package io.deepsite.operations;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.ansible.FakeAnsible;
import io.deepsite.apply.ApplyOptions;
import io.deepsite.apply.Cancel;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Boot;
import io.deepsite.provider.FakeProvider;
import io.deepsite.provider.FakeProviderFactory;
import io.deepsite.remote.Remote;
import io.deepsite.remote.RemoteHost;
import io.deepsite.remote.SshTarget;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.load.LoadResult;
import io.deepsite.state.FileStores;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A site "lab" in memory, whose controller says what the test wants it to say. */
class ElasticOperationTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final FakeProvider.Cloud cloud = new FakeProvider.Cloud();
    private static final ElasticPauses QUICK =
            new ElasticPauses(Duration.ofMillis(1), Duration.ofMillis(50), Duration.ofMillis(10));

    private final FakeProvider provider = new FakeProvider(cloud);
    private final MemoryHosts hosts = new MemoryHosts(this::inside);
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
    private final BlockingQueue<ElasticEvent> events = new LinkedBlockingQueue<>();
    private final List<Diagnostic> notices = new CopyOnWriteArrayList<>();
    private final Cancel cancel = new Cancel();
    /** Which the program says to whoever begins to listen. */
    private volatile String lastSaid = "wanted= released= failed=";

    @SuppressWarnings("NullAway.Init") // set before each test
    private Thread loop;

    @BeforeEach
    void isApplied() throws IOException {
        Files.writeString(folder.resolve("site.yaml"), """
                apiVersion: deepsite/v1
                site: lab
                provider: {fake: {}}
                machines:
                  head: {image: debian/12}
                  node: {count: 1, image: debian/12}
                clusters:
                  hpc: {kind: elastic, most: {node: 3}}
                """);
        FakeAnsible.PASSING.write(folder.resolve("bin"));
        provider.showBoot();
        apply();
        start();
    }

    @AfterEach
    void end() throws InterruptedException {
        cancel.ask();
        loop.join();
    }

    @Test
    void makesWhatIsWantedAndRemovesWhatIsGivenBack() throws InterruptedException {
        say("wanted=node-3 released= failed=");
        await("making", "made");
        assertThat(machines()).containsExactlyInAnyOrder("lab-head", "lab-node-1", "lab-node-3");

        // As an administrator's: it keeps the machine, and makes no other.
        apply();
        assertThat(machines()).containsExactlyInAnyOrder("lab-head", "lab-node-1", "lab-node-3");

        say("wanted= released=node-3 failed=");
        assertThat(told.take()).isEqualTo("gone node-3: ");
        assertThat(machines()).containsExactlyInAnyOrder("lab-head", "lab-node-1");
    }

    /** A node that is wanted again while its machine is on the way out gets a new one. */
    @Test
    void removesAMachineThatWasGivenBackAndIsWantedAgain() throws InterruptedException {
        say("wanted=node-2 released= failed=");
        await("making", "made");

        say("wanted=node-2 released=node-2 failed=");
        assertThat(told.take()).isEqualTo("gone node-2: ");
        assertThat(machines()).containsExactlyInAnyOrder("lab-head", "lab-node-1");
    }

    @Test
    void saysWhyAMachineCannotBeMade() throws InterruptedException {
        provider.failNext(
                "create instance/node-2",
                new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, "There is no room for it.", "")));
        say("wanted=node-2 released= failed=");

        assertThat(told.take()).isEqualTo("failed node-2: There is no room for it.\n");
        assertThat(machines()).containsExactlyInAnyOrder("lab-head", "lab-node-1");
    }

    @Test
    void neitherMakesNorRemovesAnotherMachine() throws InterruptedException {
        say("wanted=node-9,head2 released=node-1,head failed=");
        say("wanted=node-2 released= failed=");
        await("making", "made");

        assertThat(machines()).containsExactlyInAnyOrder("lab-head", "lab-node-1", "lab-node-2");
        assertThat(told).isEmpty();
        assertThat(notices).extracting(Diagnostic::code).containsOnly(Code.ELASTIC_REFUSED);
        assertThat(notices).hasSize(4);
    }

    private void say(String line) {
        lastSaid = line;
        said.add(line);
    }

    private void start() {
        var operation = new ElasticOperation(this::load, this::open, notices::add, events::add, cancel, QUICK);
        loop = Thread.ofVirtual().start(operation::run);
    }

    private void await(String... kinds) throws InterruptedException {
        for (var kind : kinds) {
            ElasticEvent event;
            do {
                event = events.take();
            } while (!event.event().equals(kind));
        }
    }

    private void apply() {
        try (var context = open(load())) {
            var plan = new PlanOperation(context).plan();
            var result = new ApplyOperation(context, plan, ApplyOptions.ALL, _ -> {}, new Cancel()).run();
            assertThat(result.diagnostics()).isEmpty();
        }
    }

    private List<String> machines() {
        return cloud.names().stream()
                .filter(name -> name.startsWith("instance/"))
                .map(name -> name.substring("instance/".length()))
                .toList();
    }

    private LoadResult load() {
        return kinds().loader().load(folder.resolve("site.yaml"), Map.of());
    }

    private static ClusterKinds kinds() {
        return new ClusterKinds(List.of(new ElasticMachinesTest.ElasticKind()), List.of(new FakeProviderFactory()));
    }

    private SiteContext open(LoadResult loaded) {
        var runtime = new RuntimeContext(
                DeepsiteHome.find(),
                "1.0",
                Map.of("PATH", folder.resolve("bin") + ":/usr/bin:/bin"),
                folder,
                () -> Instant.parse("2026-01-01T00:00:00Z"),
                SshTimes.USUAL,
                kinds(),
                FileStores::new,
                _ -> {});
        return new SiteContext(
                folder.resolve("site.yaml"), loaded, runtime, _ -> provider, new Hosts(), KillableSite.IN_CLEAR);
    }

    private Map<String, String> inside(String machine) {
        return cloud.names().contains("instance/lab-" + machine)
                ? cloud.boot("lab-" + machine).files().stream()
                        .collect(Collectors.toMap(Boot.BootFile::path, Boot.BootFile::content))
                : Map.of();
    }

    /** Those in memory, with the program of the cluster on the controller. */
    private final class Hosts implements Remote {
        @Override
        public RemoteHost open(SshTarget target) {
            return new Host(hosts.open(target));
        }
    }

    private final class Host implements RemoteHost {
        private final RemoteHost host;

        Host(RemoteHost host) {
            this.host = host;
        }

        @Override
        public SshTarget target() {
            return host.target();
        }

        @Override
        public int exec(
                List<String> argv, InputStream stdin, OutputStream stdout, OutputStream stderr, Duration limit) {
            try {
                var input = stdin.readAllBytes();
                var script = new String(input, StandardCharsets.UTF_8);
                if (argv.getFirst().equals("/bin/elastic")) {
                    told.add(String.join(" ", argv.subList(1, argv.size())) + ": " + script);
                    return 0;
                }
                if (script.contains("/bin/elastic")) {
                    return watch(stdout);
                }
                return host.exec(argv, new ByteArrayInputStream(input), stdout, stderr, limit);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private int watch(OutputStream stdout) throws IOException {
            try {
                stdout.write((lastSaid + "\n").getBytes(StandardCharsets.UTF_8));
                while (true) {
                    stdout.write((said.take() + "\n").getBytes(StandardCharsets.UTF_8));
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return 1;
            }
        }

        @Override
        public void close() {
            host.close();
        }
    }
}
