package io.deepsite.plan;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Machine;
import io.deepsite.state.SecretStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/** Plans as JSON with sorted keys: equal plans as equal bytes. */
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
            .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
            .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            // A record's questions ({@code isMachine}) are not part of it.
            .changeDefaultVisibility(checker -> checker.withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
            .build();

    /** Writes step by step: the tree of a plan of thousands of machines would need gigabytes. */
    private static final JsonMapper STREAMED = JSON.rebuild()
            .addModule(new SimpleModule()
                    .addSerializer(Step.class, new AsTree<>(Step.class))
                    .addSerializer(Machine.class, new AsTree<>(Machine.class)))
            .build();

    private PlanJson() {}

    /** Sorts keys across the parts of a value. */
    private static final class AsTree<T> extends StdSerializer<T> {
        AsTree(Class<T> type) {
            super(type);
        }

        @Override
        public void serialize(T value, JsonGenerator out, SerializationContext context) {
            JSON.valueToTree(value).serialize(out, context);
        }

        /** The tree has the type already. */
        @Override
        public void serializeWithType(T value, JsonGenerator out, SerializationContext context, TypeSerializer type) {
            serialize(value, out, context);
        }
    }

    public static String write(Plan plan) {
        var bytes = new ByteArrayOutputStream();
        try {
            write(plan, bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** Leaves the stream open. */
    public static void write(Plan plan, OutputStream out) throws IOException {
        try {
            STREAMED.writer().without(StreamWriteFeature.AUTO_CLOSE_TARGET).writeValue(out, StoredPlan.of(plan));
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
        out.write('\n');
    }

    /**
     * Writes the signed text that {@link #read} accepts: changing a byte of it requires the key to sign it again. Leaves
     * the stream open.
     */
    public static void sealed(Plan plan, SecretStore secrets, OutputStream out) throws IOException {
        var sealing = new PlanSeal(secrets.sealingKey(), out);
        write(plan, sealing);
        sealing.end();
    }

    /**
     * @param tool the running version: another version's plan may mean something else
     * @param secrets of the site
     * @throws Failure PLAN_UNREADABLE, PLAN_OF_ANOTHER_VERSION, PLAN_ALTERED
     */
    public static Plan read(Path file, String tool, SecretStore secrets) {
        try {
            var bytes = Files.readAllBytes(file);
            var madeBy = tool(bytes);
            if (!madeBy.equals(tool)) {
                throw new Failure(Diagnostic.error(
                        Code.PLAN_OF_ANOTHER_VERSION,
                        file + " was made by deepsite " + (madeBy.isEmpty() ? "(it does not say which)" : madeBy)
                                + "; this is " + tool + ". Nothing was touched.",
                        "Make the plan again:",
                        again(file)));
            }
            var plan = PlanSeal.opened(bytes, secrets.sealingKeys());
            if (plan.isEmpty()) {
                throw new Failure(Diagnostic.error(
                        Code.PLAN_ALTERED,
                        file
                                + " is not as `deepsite plan -o` wrote it with this site's key: it was changed since,"
                                + " or made with another key. Nothing was touched.",
                        "Make the plan again:",
                        again(file)));
            }
            return JSON.readValue(plan.get(), StoredPlan.class).plan();
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

    /** The version that made a plan; empty if it says none. Reads no step. */
    private static String tool(byte[] plan) {
        try (var parser = JSON.createParser(plan)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return "";
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isTool = parser.currentName().equals("tool");
                parser.nextToken();
                if (isTool && parser.currentToken() == JsonToken.VALUE_STRING) {
                    return parser.getString();
                }
                parser.skipChildren();
            }
            return "";
        }
    }

    /** A file of another kind may be valuable: no suggested command overwrites it. */
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
