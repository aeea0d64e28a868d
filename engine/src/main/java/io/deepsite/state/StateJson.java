package io.deepsite.state;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

/** The JSON of records: sorted keys, unknown keys refused, absent instead of null. */
public final class StateJson {
    public static final JsonMapper MAPPER = JsonMapper.builder()
            .addModule(new PlainConstructors())
            .enable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
            .disable(MapperFeature.SORT_CREATOR_PROPERTIES_FIRST)
            .enable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .enable(JsonNodeFeature.WRITE_PROPERTIES_SORTED)
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            // A record's questions ({@code isEmpty}) are not part of it.
            .changeDefaultVisibility(checker -> checker.withIsGetterVisibility(JsonAutoDetect.Visibility.NONE))
            .changeDefaultPropertyInclusion(include -> include.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    private StateJson() {}

    /** Says why bytes are no state, and how to restore one. */
    public interface Unreadable {
        Failure because(String why, @Nullable Throwable cause);
    }

    /**
     * @param place source of the bytes, for the diagnostics
     * @throws Failure STATE_TOO_NEW, or as {@code unreadable} makes it
     */
    public static SiteState read(byte[] bytes, String place, Unreadable unreadable) {
        try {
            var tree = MAPPER.readTree(bytes);
            var version = tree.path("formatVersion");
            if (!version.isInt() || version.intValue() < 1) {
                throw unreadable.because("It has no formatVersion.", null);
            }
            if (version.intValue() > SiteState.FORMAT_VERSION) {
                throw tooNew(place, tree, version.intValue());
            }
            if (!tree.path("serial").isIntegralNumber()) {
                throw unreadable.because("It has no serial.", null);
            }
            return MAPPER.treeToValue(tree, StoredState.class).state();
        } catch (JacksonException e) {
            throw unreadable.because(e.getOriginalMessage() + at(e), e);
        }
    }

    private static Failure tooNew(String place, JsonNode tree, int version) {
        return new Failure(Diagnostic.error(
                Code.STATE_TOO_NEW,
                place + " has format " + version + ", written by deepsite "
                        + tree.path("toolVersion").asString("of an unknown version")
                        + "; this deepsite reads up to format "
                        + SiteState.FORMAT_VERSION + ". Nothing was changed.",
                "Use that version of deepsite, or a later one."));
    }

    private static String at(JacksonException e) {
        var location = e.getLocation();
        return location == null || location.getLineNr() < 1
                ? "."
                : " (line " + location.getLineNr() + ", column " + location.getColumnNr() + ").";
    }
}
