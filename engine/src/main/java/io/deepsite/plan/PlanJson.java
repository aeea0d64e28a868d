package io.deepsite.plan;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Plans as JSON, sorted keys: the same plan is the same bytes. */
public final class PlanJson {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            // What a record answers ("is it a machine?") is no part of it.
            .changeDefaultVisibility(checker -> checker.withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
            .build();

    private PlanJson() {}

    public static String write(Plan plan) {
        return JSON.writeValueAsString(plan) + "\n";
    }

    /**
     * @param tool the version that is running: a plan of another one may mean something else
     * @throws Failure PLAN_UNREADABLE, PLAN_OF_ANOTHER_VERSION
     */
    public static Plan read(Path file, String tool) {
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
