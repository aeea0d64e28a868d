package io.deepsite.state;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.IdentityHashMap;
import java.util.Objects;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.SerializableString;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.module.SimpleModule;

/**
 * Writes the states of a run as JSON. Each is nearly the one before, so the text of hosts and resources is kept: else
 * the work of a run grew with the square of its machines. One writer at a time.
 */
public final class StateWriter {
    private static final DefaultPrettyPrinter PRETTY = pretty();
    /** Where hosts and resources stand in the file. */
    private static final String INDENT = "\n    ";

    private static final ObjectWriter WRITER = StateJson.MAPPER
            .rebuild()
            .addModule(new SimpleModule()
                    .addSerializer(RecordedHost.class, new Kept<>())
                    .addSerializer(RecordedResource.class, new Kept<>()))
            .build()
            .writer()
            .with(PRETTY)
            .without(StreamWriteFeature.AUTO_CLOSE_TARGET);

    /** The texts in the last state. */
    private IdentityHashMap<Object, SerializableString> last = new IdentityHashMap<>();

    private IdentityHashMap<Object, SerializableString> next = new IdentityHashMap<>();

    /** As the state stands in its file. */
    public void write(SiteState state, OutputStream out) throws IOException {
        next = new IdentityHashMap<>(last.size());
        var buffer = new BufferedOutputStream(out, 1 << 16);
        try {
            WRITER.withAttribute(Kept.WRITER, this).writeValue(buffer, StoredState.of(state));
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
        buffer.write('\n');
        buffer.flush();
        last = next;
    }

    /** Records are immutable, so the same one has the same text. */
    private SerializableString text(Object recorded) {
        var known = last.get(recorded);
        var text = known != null
                ? known
                : new SerializedString(StateJson.MAPPER
                        .writer()
                        .with(PRETTY)
                        .writeValueAsString(recorded)
                        // A line break is always one of the layout: strings have theirs escaped.
                        .replace("\n", INDENT));
        next.put(recorded, text);
        return text;
    }

    private static DefaultPrettyPrinter pretty() {
        var indenter = new DefaultIndenter("  ", "\n");
        var printer = new DefaultPrettyPrinter();
        printer.indentObjectsWith(indenter);
        printer.indentArraysWith(indenter);
        return printer;
    }

    private static final class Kept<T> extends ValueSerializer<T> {
        private static final Object WRITER = new Object();

        @Override
        public void serialize(T recorded, JsonGenerator generator, SerializationContext context) {
            var writer = (StateWriter) Objects.requireNonNull(context.getAttribute(WRITER), "writer");
            generator.writeRawValue(writer.text(recorded));
        }
    }
}
