package io.deepsite.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.state.FileVault;
import io.deepsite.state.Secret;
import io.deepsite.state.SecretStore;
import io.deepsite.state.StateFolder;
import io.deepsite.state.VaultKeyFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A plan in a file reads back unchanged, or not at all. */
class PlanJsonTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // set by JUnit
    Path folder;

    private final SamplePlan sample = new SamplePlan();

    @Test
    void isReadBackFromJsonAsItWas() throws Exception {
        var plan = sample.plan();
        var file = folder.resolve("p.json");
        Files.writeString(file, sealed(plan, secrets()));

        assertThat(PlanJson.read(file, "1.0", secrets())).isEqualTo(plan);
    }

    /** The parts of which records are made are not in their JSON. */
    @Test
    void itsKeysAreThoseOfItsFormat() {
        var plan = JsonMapper.builder().build().readTree(PlanJson.write(sample.plan()));

        assertThat(plan.propertyNames())
                .containsExactly(
                        "barriers",
                        "bill",
                        "contents",
                        "drift",
                        "fingerprint",
                        "formatVersion",
                        "leaseMaxSeconds",
                        "leaseSeconds",
                        "lineage",
                        "machines",
                        "proofs",
                        "retags",
                        "secrets",
                        "serial",
                        "silent",
                        "site",
                        "stages",
                        "steps",
                        "tool",
                        "unchanged");
        assertThat(plan.at("/machines/head").propertyNames())
                .containsExactly(
                        "address",
                        "container",
                        "cpus",
                        "gpus",
                        "group",
                        "hostKey",
                        "memoryMebibytes",
                        "name",
                        "outside",
                        "port",
                        "provider",
                        "resource",
                        "user",
                        "via");
        assertThat(plan.path("steps"))
                .anySatisfy(step -> assertThat(step.propertyNames())
                        .containsExactly(
                                "actions",
                                "change",
                                "consents",
                                "contract",
                                "dropped",
                                "fingerprint",
                                "fresh",
                                "host",
                                "id",
                                "items",
                                "needs",
                                "precondition",
                                "reason",
                                "stage",
                                "step"));
    }

    @Test
    void aPlanWithASilentHostIsReadBackAsItWas() throws Exception {
        sample.silent.put("old", List.of(Diagnostic.error(Code.HOST_SILENT, "It is dead.", "Look:", "ssh old")));
        var plan = sample.plan();
        var file = folder.resolve("p.json");
        Files.writeString(file, sealed(plan, secrets()));

        assertThat(PlanJson.read(file, "1.0", secrets())).isEqualTo(plan);
    }

    @Test
    void anEditedPlanIsRefused() throws Exception {
        sample.applied().resources.clear();
        sample.stages = List.of();
        var plan = sample.plan();
        var file = folder.resolve("p.json");
        var text = sealed(plan, secrets());
        assertThat(plan.consents()).contains(Consent.WIPE);
        assertThat(text).contains("\"WIPE\"");

        for (var edited : List.of(
                text.replace("\"WIPE\"", ""),
                text.replace("no longer wanted", "?"),
                text.replaceFirst("(?m)^.*\"seal\".*$", "\"seal\" : \"\""),
                PlanJson.write(plan))) {
            Files.writeString(file, edited);
            assertThatThrownBy(() -> PlanJson.read(file, "1.0", secrets()))
                    .isInstanceOfSatisfying(
                            Failure.class,
                            e -> assertThat(e.diagnostics().getFirst().code()).isEqualTo(Code.PLAN_ALTERED));
        }
    }

    @Test
    void aPlanOfASiteWithoutASecretIsSealedByTheVaultKeyAndStaysGoodWhenTheFirstOneComes() throws Exception {
        var file = folder.resolve("p.json");
        Files.writeString(file, sealed(sample.plan(), secrets()));

        secrets().put("munge_key", Secret.of("x"));

        assertThat(PlanJson.read(file, "1.0", secrets())).isEqualTo(sample.plan());
        assertThat(sealed(sample.plan(), secrets())).isNotEqualTo(Files.readString(file));
        Files.delete(folder.resolve(".config/deepsite/vault.key"));
        Files.writeString(folder.resolve(".config/deepsite/vault.key"), "another\n");
        assertThatThrownBy(() -> PlanJson.read(file, "1.0", secrets())).isInstanceOf(Failure.class);
    }

    @Test
    void consentsAreWorkedOutFromStepsAndNotRead() {
        sample.applied().resources.clear();
        sample.stages = List.of();
        var json = JsonMapper.builder().build();
        var step = (ObjectNode)
                json.readTree(PlanJson.write(sample.plan())).path("steps").path(0);
        assertThat(step.path("consents").size()).isEqualTo(1);

        step.putArray("consents");

        assertThat(json.treeToValue(step, Step.class).consents()).containsExactly(Consent.WIPE);
    }

    @Test
    void noNameOfAPlanLeadsElsewhere() {
        for (var name : List.of("../x", "/etc/x", "a/b", "..", "", "x\ny", "-oProxyCommand=x")) {
            assertThatThrownBy(() -> new Contract("motd", name, List.of(), List.of()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new Contract(name, "head", List.of(), List.of()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new Plan.StageOrder(name, "motd", List.of(), 0, List.of(), false))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new Action(
                            "id",
                            "d",
                            List.of(),
                            name,
                            Optional.empty(),
                            Optional.of("why"),
                            Action.Impact.NOTHING,
                            new TreeMap<>(),
                            "d",
                            false))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void ofAnotherVersionIsRefused() throws Exception {
        var file = folder.resolve("p.json");
        Files.writeString(file, sealed(sample.plan(), secrets()));

        assertThatThrownBy(() -> PlanJson.read(file, "2.0", secrets()))
                .isInstanceOfSatisfying(
                        Failure.class,
                        e -> assertThat(e.diagnostics().getFirst().code()).isEqualTo(Code.PLAN_OF_ANOTHER_VERSION));
    }

    private SecretStore secrets() {
        return new SecretStore(
                new FileVault(new StateFolder(folder.resolve("lab"))), VaultKeyFile.locate(Map.of(), folder), _ -> {});
    }

    static String sealed(Plan plan, SecretStore secrets) throws IOException {
        var out = new ByteArrayOutputStream();
        PlanJson.sealed(plan, secrets, out);
        return out.toString(StandardCharsets.UTF_8);
    }
}
