package io.deepsite.operations;

import static io.deepsite.diag.FaultMessage.assertReads;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.apply.ApplyOptions;
import io.deepsite.apply.Cancel;
import io.deepsite.cluster.ClusterKinds;
import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.plan.Plan;
import io.deepsite.plan.Step;
import io.deepsite.provider.FakeProviderFactory;
import io.deepsite.provider.Resource;
import io.deepsite.remote.SshTimes;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.Name;
import io.deepsite.state.FileStores;
import io.deepsite.state.VaultFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The site "lab" on a back-end in memory; its group node has the role munge: a package, its key and its service. */
class BakeOperationTest {
    private static final String MACHINES = """
            machines:
              head: {image: debian/12, cpus: 1, memory: 1GiB}
              node: {image: debian/12, count: 2, cpus: 1, memory: 1GiB}
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final PlainBackEnd backEnd = new PlainBackEnd();
    private final MemoryHosts hosts = new MemoryHosts(backEnd::inside);

    @BeforeEach
    void makeSite() throws IOException {
        SamplePlays.install(folder.resolve("tools"));
        write("debian/12", "keys: {kind: role, role: munge, hosts: [node]}");
    }

    private void write(String image, String cluster) throws IOException {
        Files.writeString(
                folder.resolve("site.yaml"),
                "apiVersion: deepsite/v1\nsite: lab\nprovider: {fake: {}}\n" + MACHINES.replace("debian/12", image)
                        + "clusters: {" + cluster + "}\n");
    }

    private SiteContext open() {
        var kinds = new ClusterKinds(List.of(new RoleKind()), List.of(new FakeProviderFactory()));
        var file = folder.resolve("site.yaml");
        var runtime = new RuntimeContext(
                DeepsiteHome.find(),
                "1.0",
                Map.of("PATH", folder.resolve("tools") + ":/usr/bin:/bin"),
                folder.resolve("home"),
                folder.resolve("root"),
                () -> Instant.parse("2026-01-01T00:00:00Z"),
                SshTimes.USUAL,
                kinds,
                FileStores::new,
                _ -> {});
        return new SiteContext(
                file,
                kinds.loader().load(file, Map.of()),
                runtime,
                site -> backEnd.open(site.provider(), folder),
                hosts,
                VaultFormat.ANSIBLE);
    }

    private List<BakeOperation.Baked> bake(String... group) {
        try (var context = open()) {
            return new BakeOperation(context, _ -> {}, new Cancel())
                    .bake(List.of(group).stream().findFirst().map(Name::new));
        }
    }

    private Plan plan() {
        try (var context = open()) {
            return new PlanOperation(context).plan();
        }
    }

    private static List<Optional<String>> images(Plan plan) {
        return plan.steps().stream()
                .filter(step -> step instanceof Step.OfResource resource && resource.isMachine())
                .map(step -> ((Step.OfResource) step).desired().flatMap(Resource::bakedImage))
                .toList();
    }

    @Test
    void bakesWhatRolesBringAndLeavesNothingElse() {
        var baked = bake();

        assertThat(baked).singleElement().satisfies(image -> {
            assertThat(image.groups()).containsExactly(new Name("node"));
            assertThat(image.packages()).containsExactly("munge");
            assertThat(image.name()).matches("deepsite-[0-9a-f]{16}");
            assertThat(image.made()).isTrue();
        });
        assertThat(backEnd.things()).containsExactly("image " + baked.getFirst().name() + " of lab-bake-node");
        assertThat(folder.resolve(".deepsite/lab-bake")).doesNotExist();
    }

    @Test
    void removesKeysThatRolesWriteAndServicesThatTheyStart() {
        bake();

        assertThat(hosts.sealed)
                .singleElement()
                .asString()
                .contains("\\\"paths\\\":[\\\"/etc/munge/munge.key\\\"]")
                .contains("\\\"units\\\":[\\\"munge.service\\\"]")
                .contains("\\\"before\\\":[\\\"ssh.service\\\"]");
    }

    @Test
    void machinesOfTheGroupStartFromIt() {
        var without = images(plan());
        var name = bake().getFirst().name();

        assertThat(without).containsOnly(Optional.empty());
        assertThat(images(plan())).containsExactly(Optional.empty(), Optional.of(name), Optional.of(name));
    }

    @Test
    void anotherImageOrAnotherRoleDoesNotFit() throws IOException {
        bake();

        write("debian/13", "keys: {kind: role, role: munge, hosts: [node]}");
        assertThat(images(plan())).containsOnly(Optional.empty());
        write(
                "debian/12",
                "keys: {kind: role, role: munge, hosts: [node]}, m: {kind: role, role: motd, hosts: [node]}");
        assertThat(images(plan())).containsOnly(Optional.empty());
    }

    @Test
    void existsAlready() {
        var first = bake();
        var again = bake("node");

        assertThat(again).singleElement().satisfies(image -> {
            assertThat(image.name()).isEqualTo(first.getFirst().name());
            assertThat(image.made()).isFalse();
        });
        assertThat(backEnd.things()).hasSize(1);
    }

    @Test
    void storesNothingIfTheSearchFindsSomething() {
        hosts.sealAnswer =
                "{\"found\": [{\"path\": \"/opt/x\", \"what\": \"a private key\"}], \"files\": 1, \"bytes\": 1}";

        assertReads("bake/DS4031-image-holds-secrets", this::bake);

        assertThat(backEnd.things()).isEmpty();
    }

    @Test
    void storesNothingIfTheSearchDidNotRun() {
        hosts.sealAnswer = "no JSON";

        assertReads("bake/DS4032-image-not-sealed", this::bake);

        assertThat(backEnd.things()).isEmpty();
    }

    @Test
    void aGroupWithoutPackagesHasNoImage() {
        assertReads("bake/DS4030-nothing-to-bake", () -> bake("head"));
        assertThatThrownBy(() -> bake("nodes"))
                .isInstanceOfSatisfying(
                        Failure.class,
                        e -> assertThat(e.diagnostics().getFirst().code()).isEqualTo(Code.UNKNOWN_STAGE));
    }

    @Test
    void deletesNoSiteOfItsNameThatItDidNotMake() throws IOException {
        var file = folder.resolve("site.yaml");
        var text = Files.readString(file);
        Files.writeString(file, text.replace("site: lab\n", "site: lab-bake\n").replaceFirst("(?s)clusters: .*", ""));
        try (var context = open()) {
            new ApplyOperation(context, new PlanOperation(context).plan(), ApplyOptions.ALL, _ -> {}, new Cancel())
                    .run();
        }
        var things = backEnd.things();
        Files.writeString(file, text);

        assertReads("bake/DS4033-site-of-others", this::bake, message -> message.replace(folder.toString(), "FOLDER"));
        assertThat(things).isNotEmpty().isEqualTo(backEnd.things());
    }

    @Test
    void aMachineThroughWhichOthersAreReachedIsSealedLast() throws IOException {
        backEnd.passThrough("head");
        write(
                "debian/12",
                "keys: {kind: role, role: munge, hosts: [head, node]}, m: {kind: role, role: motd, hosts: [head]}");

        assertThat(bake()).hasSize(2);

        assertThat(hosts.sealed).hasSize(2);
        assertThat(hosts.sealed.getFirst()).contains("\\\"host\\\":\\\"node\\\"");
        assertThat(hosts.sealed.getLast()).contains("\\\"host\\\":\\\"head\\\"");
    }

    @Test
    void aMachineThroughWhichOthersAreReachedIsMadeForThem() {
        backEnd.passThrough("head");

        assertThat(bake("node")).hasSize(1);

        assertThat(hosts.sealed).singleElement().asString().contains("\\\"host\\\":\\\"node\\\"");
        assertThat(backEnd.things()).hasSize(1);
    }

    @Test
    void machinesWithoutADiskOfTheirOwnHaveNoImage() {
        backEnd.giveNoDisks();

        assertReads("bake/DS1220-no-disks", this::bake);

        assertThat(backEnd.things()).isEmpty();
    }

    @Test
    void removesTheMachineIfItCannotBePublished() {
        backEnd.failNext("publish instance/node");

        assertThatThrownBy(this::bake).isInstanceOf(Failure.class);

        assertThat(backEnd.things()).isEmpty();
    }
}
