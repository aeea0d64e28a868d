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
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.LoadResult;
import io.deepsite.state.FileStores;
import io.deepsite.verify.CheckResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Supplier;
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
    private final ElasticHosts hosts = new ElasticHosts(new MemoryHosts(this::inside));
    private final BlockingQueue<ElasticEvent> events = new LinkedBlockingQueue<>();
    private final List<Diagnostic> notices = new CopyOnWriteArrayList<>();
    private final Cancel cancel = new Cancel();
    private final Room room = new Room();
    private final Set<String> silent = ConcurrentHashMap.newKeySet();
    private volatile boolean isTakenAway;

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
        assertThat(hosts.told()).isEqualTo("gone node-3: ");
        assertThat(machines()).containsExactlyInAnyOrder("lab-head", "lab-node-1");
    }

    /** A node that is wanted again while its machine is on the way out gets a new one. */
    @Test
    void removesAMachineThatWasGivenBackAndIsWantedAgain() throws InterruptedException {
        say("wanted=node-2 released= failed=");
        await("making", "made");

        say("wanted=node-2 released=node-2 failed=");
        assertThat(hosts.told()).isEqualTo("gone node-2: ");
        assertThat(machines()).containsExactlyInAnyOrder("lab-head", "lab-node-1");
    }

    @Test
    void saysWhyAMachineCannotBeMade() throws InterruptedException {
        provider.failNext(
                "create instance/node-2",
                new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, "There is no room for it.", "")));
        say("wanted=node-2 released= failed=");

        assertThat(hosts.told()).isEqualTo("failed node-2: There is no room for it.\n");
        assertThat(machines()).containsExactlyInAnyOrder("lab-head", "lab-node-1");
    }

    @Test
    void neitherMakesNorRemovesAnotherMachine() throws InterruptedException {
        hosts.awaitListeners(1);
        say("wanted=node-9,head2 released=node-1,head failed=");
        say("wanted=node-2 released= failed=");
        await("making", "made");

        assertThat(machines()).containsExactlyInAnyOrder("lab-head", "lab-node-1", "lab-node-2");
        assertThat(hosts.wasToldAll()).isTrue();
        assertThat(notices).extracting(Diagnostic::code).containsOnly(Code.ELASTIC_REFUSED);
        assertThat(notices).hasSize(4);
    }

    @Test
    void makesAsManyAsThereIsRoomFor() throws InterruptedException {
        room.most = 2;
        say("wanted=node-2,node-3 released= failed=");

        await("making", "made", "failed");
        assertThat(hosts.told()).isEqualTo("failed node-3: There is room for 2.\n");
        assertThat(machines()).containsExactlyInAnyOrder("lab-head", "lab-node-1", "lab-node-2");
        assertThat(room.asked).contains(List.of("node-1", "node-2", "node-3"));

        say("wanted= released=node-2 failed=node-3");
        assertThat(hosts.told()).isEqualTo("gone node-2: ");
        assertThat(room.had).last().isEqualTo(List.of());
    }

    /** A node whose mark stays is never woken again. */
    @Test
    void aHostThatDoesNotAnswerKeepsNoElasticMachineFromComingAndGoing() throws InterruptedException {
        silent.add("node-1");
        say("wanted=node-2 released= failed=");
        await("making", "made");

        say("wanted= released=node-2 failed=");
        await("removing", "removed");
        assertThat(hosts.told()).isEqualTo("gone node-2: ");
        assertThat(machines()).containsExactlyInAnyOrder("lab-head", "lab-node-1");
    }

    /** Its jobs may run: what cannot be configured there is tried again, and costs them nothing. */
    @Test
    void aMachineThatIsThereIsNotGivenUpWhenItCannotBeConfigured() throws IOException, InterruptedException {
        say("wanted=node-2 released= failed=");
        await("making", "made");

        FakeAnsible.PASSING.failingOn("node-2", "No space left").write(folder.resolve("bin"));
        say("wanted=node-2,node-3 released= failed=");
        await("making", "made");
        say("wanted=node-2 released=node-3 failed=");

        assertThat(hosts.told()).isEqualTo("gone node-3: ");
        assertThat(machines()).containsExactlyInAnyOrder("lab-head", "lab-node-1", "lab-node-2");
    }

    @Test
    void aMachineThatCannotBeConfiguredIsToldApartFromOneThatCannotBeMade() throws IOException, InterruptedException {
        FakeAnsible.PASSING.failingOn("node-2", "No space left").write(folder.resolve("bin"));
        say("wanted=node-2 released= failed=");

        assertThat(hosts.told()).startsWith("failed node-2: It could not be configured: ");
    }

    @Test
    void verifyAsksWhetherMachinesCanComeAndMakesOneOnlyWhenTold() {
        assertThat(verified(false)).containsExactly("verify");
        assertThat(verified(true)).containsExactly("verify make");
    }

    /** As when a service deletes the site, or another process has taken over. */
    @Test
    void endsWithoutAWordWhenItMayNotOpenTheSiteAnyMore() throws InterruptedException {
        hosts.awaitListeners(1);
        isTakenAway = true;
        say("wanted=node-2 released= failed=");
        loop.join();

        assertThat(hosts.wasToldAll()).isTrue();
        assertThat(notices).isEmpty();
        hosts.awaitListeners(0);
        isTakenAway = false;
    }

    private void say(String line) {
        hosts.say(line);
    }

    private void start() {
        var operation = new ElasticOperation(this::load, this::open, room, notices::add, events::add, cancel, QUICK);
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

    private List<String> verified(boolean makes) {
        try (var context = open(load())) {
            return new VerifyOperation(context, makes)
                    .run(_ -> {}, new Cancel()).report().results().stream()
                            .map(CheckResult::message)
                            .toList();
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
        return new ClusterKinds(List.of(new ElasticKind()), List.of(new FakeProviderFactory()));
    }

    private SiteContext open(LoadResult loaded) {
        if (isTakenAway) {
            cancel.ask();
            throw new Failure(Diagnostic.error(Code.CANCELLED, "It is somebody else's now.", ""));
        }
        var runtime = new RuntimeContext(
                DeepsiteHome.find(),
                "1.0",
                Map.of("PATH", folder.resolve("bin") + ":/usr/bin:/bin"),
                folder,
                folder.resolve("root"),
                () -> Instant.parse("2026-01-01T00:00:00Z"),
                SshTimes.USUAL,
                kinds(),
                FileStores::new,
                _ -> {});
        return new SiteContext(
                folder.resolve("site.yaml"), loaded, runtime, _ -> provider, hosts, KillableSite.IN_CLEAR);
    }

    private Map<String, String> inside(String machine) {
        return cloud.names().contains("instance/lab-" + machine) && !silent.contains(machine)
                ? cloud.boot("lab-" + machine).files().stream()
                        .collect(Collectors.toMap(Boot.BootFile::path, Boot.BootFile::content))
                : Map.of();
    }

    /** With room for some machines. */
    private static final class Room implements ElasticRoom {
        private final List<List<String>> asked = new CopyOnWriteArrayList<>();
        private final List<List<String>> had = new CopyOnWriteArrayList<>();
        private volatile int most = 100;

        @Override
        public Optional<String> take(Site with) {
            asked.add(with.machineNames(new Name("node")));
            return with.machineNames(new Name("node")).size() > most
                    ? Optional.of("There is room for " + most + ".")
                    : Optional.empty();
        }

        @Override
        public void has(SortedSet<String> machines, Site with) {
            had.add(List.copyOf(machines));
        }

        @Override
        public <T> T during(Supplier<T> change) {
            return change.get();
        }
    }
}
