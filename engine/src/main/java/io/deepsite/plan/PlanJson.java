package io.deepsite.plan;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.state.SecretStore;
import io.deepsite.state.SiteKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Plans as JSON, sorted keys: the same plan is the same bytes. */
public final class PlanJson {
    /** The parts of a machine are not seen: their keys are the machine's. */
    @SuppressWarnings("unused") // Jackson reads their annotations
    private interface MachineParts {
        @JsonUnwrapped
        Machine.Specs specs();

        @JsonUnwrapped
        Machine.Ssh ssh();
    }

    private static final JsonMapper JSON = JsonMapper.builder()
            .addMixIn(Machine.class, MachineParts.class)
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            // What a record answers ("is it a machine?") is no part of it.
            .changeDefaultVisibility(checker -> checker.withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
            .build();

    /** Writes trees with sorted keys. */
    private static final JsonMapper SORTED =
            JSON.rebuild().enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED).build();

    private static final String SEAL = "seal";

    private PlanJson() {}

    public static String write(Plan plan) {
        // As a tree, whose keys are sorted across the parts of a plan.
        return SORTED.writeValueAsString(SORTED.valueToTree(plan)) + "\n";
    }

    /** For a file that {@link #read} takes: whoever changes a byte of it needs the key to seal it again. */
    public static String sealed(Plan plan, SecretStore secrets) {
        var tree = (ObjectNode) JSON.readTree(write(plan));
        tree.put(SEAL, seal(tree, secrets.sealingKey()));
        return JSON.writeValueAsString(tree) + "\n";
    }

    private static String seal(JsonNode plan, SiteKey key) {
        return key.fingerprint("plan", JSON.writeValueAsBytes(plan));
    }

    /**
     * @param tool the version that is running: a plan of another one may mean something else
     * @param secrets of the site
     * @throws Failure PLAN_UNREADABLE, PLAN_OF_ANOTHER_VERSION, PLAN_ALTERED
     */
    public static Plan read(Path file, String tool, SecretStore secrets) {
        try {
            var tree = JSON.readTree(Files.readString(file, StandardCharsets.UTF_8));
            var madeBy = tree.path("tool").asString("");
            if (!madeBy.equals(tool)) {
                throw new Failure(Diagnostic.error(
                        Code.PLAN_OF_ANOTHER_VERSION,
                        file + " was made by deepsite " + (madeBy.isEmpty() ? "(it does not say which)" : madeBy)
                                + "; this is " + tool + ". Nothing was touched.",
                        "Make the plan again:",
                        again(file)));
            }
            if (!(tree instanceof ObjectNode plan) || !isSealed(plan, secrets)) {
                throw new Failure(Diagnostic.error(
                        Code.PLAN_ALTERED,
                        file
                                + " is not as `deepsite plan -o` wrote it with this site's key: it was changed since,"
                                + " or made with another key. Nothing was touched.",
                        "Make the plan again:",
                        again(file)));
            }
            return JSON.treeToValue(tree, Plan.class);
        } catch (NoSuchFileException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.PLAN_UNREADABLE, "There is no file " + file + ".", "Make the plan:", again(file)),
                    e);
        } catch (IOException | JacksonException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.PLAN_UNREADABLE,
                            file + " is not a plan that deepsite wrote: " + firstLine(e) + ".",
                            "Make the plan again:",
                            again(file)),
                    e);
        }
    }

    /** Takes the seal off the plan. */
    private static boolean isSealed(ObjectNode plan, SecretStore secrets) {
        var seal = plan.remove(SEAL);
        return seal != null && secrets.sealingKeys().stream().anyMatch(key -> same(seal.asString(""), seal(plan, key)));
    }

    private static boolean same(String one, String other) {
        return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }

    /** A file of another kind may be what somebody wrote with care: no command that is offered writes over it. */
    private static String again(Path file) {
        return "deepsite plan -o " + (file.toString().endsWith(".json") ? file : "plan.json");
    }

    private static String firstLine(Exception e) {
        var message = e.getMessage();
        return message == null
                ? e.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }
}
