package io.deepsite.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.ExitCode;
import io.deepsite.diag.Failure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.node.ObjectNode;

class StateJsonTest {
    private static final Path FILE = Path.of(".deepsite/lab/state.json");

    /** One pair for each released format; {@code out} is this version's conversion. */
    @ParameterizedTest
    @ValueSource(ints = 1)
    void readsEveryFormatThereWas(int format) throws IOException {
        var folder = "/golden/state/format-" + format;

        var state = FileStateStore.read(resource(folder + "/in.json").getBytes(UTF_8), FILE);

        assertThat(written(state)).isEqualTo(resource(folder + "/out.json"));
    }

    @Test
    void readsWhatItWrote() throws IOException {
        var state =
                FileStateStore.read(resource("/golden/state/format-1/in.json").getBytes(UTF_8), FILE);

        assertThat(FileStateStore.read(written(state).getBytes(UTF_8), FILE)).isEqualTo(state);
        assertThat(state.hosts()
                        .get("head")
                        .roles()
                        .get("motd")
                        .contract()
                        .at("/items/0/path")
                        .asString())
                .isEqualTo("/etc/motd");
        assertThat(state.hosts().get("node-1").hostKey()).isNull();
        assertThat(state.hosts().get("node-1").formerUsers()).containsExactly(Map.entry("alice", 2001));
        // Written by a version that recorded none.
        assertThat(state.hosts().get("head").formerUsers()).isEmpty();
    }

    @Test
    void refusesANewerFormatAndNamesTheVersionToUse() {
        var diagnostic = refusal("{\"formatVersion\": 99, \"toolVersion\": \"7.1.0\", \"surprise\": []}");

        assertThat(diagnostic.code()).isEqualTo(Code.STATE_TOO_NEW);
        assertThat(diagnostic.code().exit()).isEqualTo(ExitCode.INVALID_INPUT);
        assertThat(diagnostic.why()).contains("format 99", "7.1.0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\0\0\0\0",
                "{",
                "[]",
                "null",
                "{}",
                "{\"formatVersion\": \"1\"}",
                "{\"formatVersion\": 1}",
                "{\"formatVersion\": 1, \"formatVersion\": 1}"
            })
    void refusesGarbageAndSaysHowToRestoreTheBackup(String content) {
        var diagnostic = refusal(content);

        assertThat(diagnostic.code()).isEqualTo(Code.STATE_UNREADABLE);
        assertThat(diagnostic.commands()).contains("cp .deepsite/lab/state.json.backup .deepsite/lab/state.json");
    }

    @Test
    void refusesEveryTruncation() throws IOException {
        var whole = resource("/golden/state/format-1/in.json");

        for (var end = 0; end < whole.length() - 2; end += 97) {
            assertThat(refusal(whole.substring(0, end)).code()).isEqualTo(Code.STATE_UNREADABLE);
        }
    }

    @Test
    void refusesAKeyItDoesNotKnowInsteadOfLosingIt() throws IOException {
        var whole = resource("/golden/state/format-1/in.json").replace("\"images\"", "\"pictures\" : {}, \"images\"");

        var diagnostic = refusal(whole);

        assertThat(diagnostic.code()).isEqualTo(Code.STATE_UNREADABLE);
        assertThat(diagnostic.why()).contains("pictures");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/lineage",
                "/site",
                "/serial",
                "/hosts",
                "/hosts/head/address",
                "/hosts/head/roles/motd/stage",
                "/hosts/head/roles/motd/contract",
                "/resources/machine~1head/kind",
                "/lease/ends",
                "/verify/outcome",
                "/apply/run"
            })
    void refusesAStateThatLacksSomething(String place) throws IOException {
        var tree = StateJson.MAPPER.readTree(resource("/golden/state/format-1/in.json"));
        var pointer = JsonPointer.compile(place);
        ((ObjectNode) tree.at(pointer.head())).remove(pointer.last().getMatchingProperty());

        assertThat(refusal(tree.toString()).code()).isEqualTo(Code.STATE_UNREADABLE);
    }

    private static Diagnostic refusal(String content) {
        var failure = catchThrowableOfType(Failure.class, () -> FileStateStore.read(content.getBytes(UTF_8), FILE));
        return failure.diagnostics().getFirst();
    }

    private static String resource(String name) throws IOException {
        try (var in = StateJsonTest.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static String written(SiteState state) throws IOException {
        var bytes = new ByteArrayOutputStream();
        new StateWriter().write(state, bytes);
        return bytes.toString(UTF_8);
    }
}
