package io.deepsite.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command line at a service, with the test login. */
class SitesAtAServiceTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    @TempDir
    private Path folder;

    private ServiceInMemory service;
    private Person alice;

    @BeforeEach
    void start() throws IOException {
        service = new ServiceInMemory(folder.resolve("service"), "");
        alice = person("alice", "biologists");
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private Person person(String name, String group) throws IOException {
        var person = new Person(Files.createDirectories(folder.resolve(name)));
        assertThat(person.types("login", service.url(), "--name", name, "--group", group))
                .as(person.err)
                .isZero();
        person.environment.put("DEEPSITE_SERVICE", service.url());
        return person;
    }

    private void does(Person person, String... words) {
        assertThat(person.types(words)).as(person.out + person.err).isZero();
    }

    private void refused(Person person, int exit, String... words) {
        assertThat(person.types(words)).as(person.out + person.err).isEqualTo(exit);
    }

    private JsonNode json(Person person, String... words) {
        does(person, words);
        return JSON.readTree(person.out);
    }

    @Test
    void aLoginIsKeptInAFileOfItsOwner() throws IOException {
        var file = alice.home.resolve(".config/deepsite/logins.json");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");

        assertThat(json(alice, "whoami", "--json").path("name").asString()).isEqualTo("alice");
        does(alice, "logout", service.url());
        refused(alice, 2, "whoami");
        assertThat(alice.err).contains("DS8102", "deepsite login " + service.url());
    }

    @Test
    void aFileOfLoginsThatOthersReadIsRefused() throws IOException {
        var file = alice.home.resolve(".config/deepsite/logins.json");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        refused(alice, 2, "whoami");

        assertThat(alice.err).contains("DS8135", "chmod 600 " + file);
    }

    @Test
    void aLoginThatTheServiceHasForgottenSaysHowToLogIn() throws IOException {
        var file = alice.home.resolve(".config/deepsite/logins.json");
        Files.writeString(
                file,
                Files.readString(file).replaceAll("\"token\":\"[^\"]+\"", "\"token\":\"" + "A".repeat(43) + "\""));

        refused(alice, 2, "sites");

        assertThat(alice.err).contains("DS8122", "deepsite login " + service.url());
        does(alice, "login", "--name", "alice", "--group", "biologists");
        does(alice, "sites");
    }

    @Test
    void theCatalogueShowsWhatToSet() {
        does(alice, "catalogue");

        assertThat(alice.out)
                .contains(
                        "hpc  A cluster",
                        "nodes=1",
                        "integer from 1 to 16",
                        "How many machines",
                        "debian/12 | debian/13");
    }

    @Test
    void applyOrdersAsksFollowsAndProves() {
        alice.answers("y\n");
        does(alice, "apply", "hpc", "--set", "nodes=2", "--title", "course");

        assertThat(alice.out)
                .contains(
                        "course", "Plan", "+ resource:instance/node-1", "Quota of biology", "The site ends", "node-2");
        assertThat(alice.err).contains("Build this? [y/N]", "node-1: ");
        assertThat(service.cloud.things()).anyMatch(thing -> thing.endsWith("node-2"));

        does(alice, "status", "course");
        assertThat(alice.out).contains("State", "ready", "nodes", "2", "apply  done");
        does(alice, "sites");
        assertThat(alice.out).contains("course", "biology", "ready");
        does(alice, "logs", "--site", "course");
        assertThat(alice.out).contains("alice: plan", "apply: done");

        does(alice, "destroy", "course", "--yes");
        assertThat(alice.out).contains("Destroyed the site hpc-");
        assertThat(service.cloud.things()).noneMatch(thing -> thing.contains("node"));
    }

    @Test
    void theSameApplyTwiceIsOneSite() {
        does(alice, "apply", "hpc", "--yes");
        does(alice, "apply", "hpc", "--yes");

        assertThat(json(alice, "sites", "--json").size()).isEqualTo(1);
    }

    @Test
    void otherParametersChangeItsSize() {
        does(alice, "apply", "hpc", "--yes");

        does(alice, "apply", "hpc", "--set", "nodes=3", "--yes");
        assertThat(alice.out).contains("Changes", "nodes  default -> 3", "+ resource:instance/node-3");
        assertThat(service.cloud.things()).anyMatch(thing -> thing.endsWith("node-3"));
        alice.answers("n\n");
        refused(alice, 130, "apply", "hpc", "--set", "nodes=2");
        assertThat(json(alice, "status", "A cluster", "--json").path("status").asString())
                .isEqualTo("ready");
        does(alice, "plan", "hpc", "--title", "later");
        refused(alice, 2, "apply", "hpc", "--title", "later", "--set", "nodes=2");
        assertThat(alice.err).contains("DS8106", "nodes=2", "once it is ready");
    }

    @Test
    void aSiteYamlIsHandedIn() throws IOException {
        var file = Files.writeString(folder.resolve("mine.yaml"), """
                apiVersion: deepsite/v1
                site: lab
                parameters:
                  count: {type: integer, default: 1, min: 1, max: 3}
                machines:
                  node: {image: debian/12, cpus: 1, memory: 512MiB, count: "${count}"}
                """).toString();

        does(alice, "plan", file);
        does(alice, "plan", file);

        assertThat(alice.out).contains("+ resource:instance/node-1");
        assertThat(json(alice, "sites", "--json").size()).isEqualTo(1);
        does(alice, "status", "lab");
        assertThat(alice.out).contains("planned").doesNotContain("Template");
        Files.writeString(Path.of(file), Files.readString(Path.of(file)).replace("debian/12", "debian/13"));
        refused(alice, 2, "apply", file, "--title", "other", "--yes");
        assertThat(alice.err).contains("DS8111", "--> site.yaml:6:17");
        does(alice, "destroy", "lab", "--yes");
    }

    @Test
    void aNoLeavesTheOrderThatPlanHadMade() {
        does(alice, "plan", "hpc", "--title", "later");
        assertThat(alice.out).contains("+ resource:instance/node-1");

        alice.answers("n\n");
        refused(alice, 130, "apply", "hpc", "--title", "later");

        assertThat(json(alice, "status", "later", "--json").path("status").asString())
                .isEqualTo("planned");
        assertThat(service.cloud.things()).isEmpty();
        refused(alice, 2, "apply", "hpc", "--title", "later");
        assertThat(alice.err).contains("DS4007", "--yes");
    }

    @Test
    void aFailedBuildSaysWhyAndTheNextApplyGoesOn() {
        service.cloud.fail(Optional.of(Map.entry(
                "create instance/node-1",
                new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, "The network is gone.", "Bring it back.")))));
        refused(alice, 1, "apply", "hpc", "--yes");
        assertThat(alice.err).contains(Code.PROVIDER_REFUSED.id(), "The network is gone.");
        assertThat(alice.out).contains("Failed", "deepsite apply hpc-");

        service.cloud.fail(Optional.empty());
        does(alice, "apply", "hpc", "--yes");
        assertThat(alice.err).contains("The network is gone.");
        assertThat(alice.out).contains("node-1");
    }

    @Test
    void jsonHasAnEventALineAndTheResultAtTheEnd() {
        does(alice, "apply", "hpc", "--yes", "--json");

        var lines = alice.out.lines().map(JSON::readTree).toList();
        assertThat(lines).anyMatch(line -> line.path("event").asString().equals("started"));
        var result = lines.getLast();
        assertThat(result.path("event").asString()).isEqualTo("result");
        assertThat(result.path("exit").asInt()).isZero();
        assertThat(result.path("site")
                        .path("runs")
                        .path(0)
                        .path("result")
                        .path("hosts")
                        .has("node-1"))
                .isTrue();
    }

    @Test
    void whatTheServiceRefusesReadsAsHere() {
        refused(alice, 2, "apply", "hpc", "--set", "nodes=99", "--yes");
        assertThat(alice.err).contains("error DS1106", "at least 1 and at most 16");

        refused(alice, 2, "apply", "hpc", "--set", "nodes=9", "--yes");
        assertThat(alice.out).contains("does not fit now");
        assertThat(alice.err).contains("error DS8105", "of 4 are used");
    }

    @Test
    void aLeaseIsExtended() {
        does(alice, "apply", "hpc", "--yes");
        var end = json(alice, "status", "A cluster", "--json").path("endsAt").asString();

        does(alice, "lease", "extend", "1h", "--site", "A cluster");

        assertThat(alice.out).contains(" ends ", "in 2 h");
        assertThat(json(alice, "status", "A cluster", "--json").path("endsAt").asString())
                .isGreaterThan(end);
        does(alice, "lease", "end", "A cluster", "--yes");
        assertThat(service.cloud.things()).isEmpty();
    }

    @Test
    void aCertificateIsForOnesOwnAccount() throws IOException {
        does(alice, "apply", "hpc", "--yes");
        var key = Files.writeString(alice.home.resolve("id.pub"), CertificateFaults.KEY)
                .toString();

        refused(alice, 2, "certificate", "root", "--site", "A cluster", "--key", key);
        assertThat(alice.err).contains("DS8133", "your own account only");
        refused(alice, 2, "certificate", "--site", "A cluster", "--key", key);
        assertThat(alice.err).contains("DS8103", "You have no account on the machines");
        assertThat(alice.home.resolve("id-cert.pub")).doesNotExist();
    }

    @Test
    void managersSeeSitesOfOthersAndTitlesAreTheirOwn() throws IOException {
        does(alice, "apply", "hpc", "--yes");
        var hannah = person("hannah", "heads");

        assertThat(json(hannah, "sites", "--json").size()).isEqualTo(1);
        assertThat(json(hannah, "sites", "--own", "--json").size()).isZero();
        refused(hannah, 2, "status", "A cluster");
        assertThat(hannah.err).contains("DS8104");
        does(hannah, "plan", "hpc");
        assertThat(json(hannah, "sites", "--json").size()).isEqualTo(2);
    }

    @Test
    void whoIsInSeveralProjectsNamesOne() throws IOException {
        var zoe = new Person(Files.createDirectories(folder.resolve("zoe")));
        does(zoe, "login", service.url(), "--name", "zoe", "--group", "biologists", "--group", "physicists");

        refused(zoe, 2, "catalogue");

        assertThat(zoe.err).contains("DS8001", "biology, physics", "--project biology");
        does(zoe, "catalogue", "--project", "physics");
    }

    @Test
    void whatIsUnknownNamesWhatThereIs() {
        refused(alice, 2, "apply", "hcp", "--yes");
        assertThat(alice.err).contains("DS8104", "Name a template (hpc)");
        refused(alice, 2, "status", "mine");
        assertThat(alice.err).contains("DS8104", "deepsite sites");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"drift", "verify", "rebuild node-1", "scale node=4", "secrets list", "render", "ssh node-1"})
    void whatHasNoMeaningAtAServiceSaysSo(String words) {
        refused(alice, 2, words.split(" "));

        assertThat(alice.err)
                .contains(
                        "DS8133",
                        "deepsite " + words.split(" ")[0],
                        "names " + service.url(),
                        "unset DEEPSITE_SERVICE");
    }

    @ParameterizedTest
    @CsvSource({
        "apply hpc --until machines, --until",
        "destroy hpc --allow wipe, --allow",
        "plan hpc --refresh-images, --refresh-images"
    })
    void optionsWithoutAMeaningAtAServiceSaySo(String words, String option) {
        refused(alice, 2, words.split(" "));

        assertThat(alice.err).contains("DS8133", option);
    }

    @Test
    void aCheckOfAFileNeedsNoService() {
        refused(alice, 2, "validate", "--service", service.url());
        assertThat(alice.err).contains("DS8133");
        refused(alice, 2, "validate", folder.resolve("none.yaml").toString());
        assertThat(alice.err).doesNotContain("DS8133");
        does(alice, "drift", "--help");
        assertThat(alice.out).doesNotContain("--service");
        does(alice, "status", "--help");
        assertThat(alice.out).contains("--service");
    }

    @Test
    void optionsOfAServiceNeedOne() {
        alice.environment.clear();

        refused(alice, 2, "apply", "--title", "course");

        assertThat(alice.err).contains("DS8001", "--title has a meaning at a service only");
    }

    @Test
    void aServiceThatIsGoneIsUnreachable() {
        service.close();

        refused(alice, 6, "sites");

        assertThat(alice.err).contains("DS8131");
    }

    @Test
    void nobodyWithoutALoginGetsAnything() throws IOException {
        var mallory = new Person(Files.createDirectories(folder.resolve("mallory")));

        refused(mallory, 2, "status", "x", "--service", service.url());
        assertThat(mallory.err).contains("DS8102", "deepsite login " + service.url());
        refused(mallory, 2, "sites");
        assertThat(mallory.err).contains("DS8102");
        refused(mallory, 2, "login", "http://clusters.example.org");
        assertThat(mallory.err).contains("DS8130", "https");
        refused(mallory, 1, "login", service.url());
        assertThat(mallory.err).contains("DS8134", "--name alice --group lab");
    }
}
