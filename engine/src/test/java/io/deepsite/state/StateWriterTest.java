package io.deepsite.state;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class StateWriterTest {
    private static final long SEED = 20_261_125;

    @Test
    void writesEachStateOfARunAsIfItWereTheFirst() throws IOException {
        var writer = new StateWriter();
        for (var state : run(new Random(SEED))) {
            var written = text(writer, state);

            assertThat(written).as("seed %d", SEED).isEqualTo(text(new StateWriter(), state));
            assertThat(FileStateStore.read(written.getBytes(UTF_8), Path.of("state.json")))
                    .isEqualTo(state);
        }
    }

    @Test
    void keepsLineBreaksInsideStrings() throws IOException {
        var state = SiteState.fresh("lab", "1.0").withHost("head", host("a\nb\\n\u2028c", 22));

        var written = text(new StateWriter(), state);

        assertThat(FileStateStore.read(written.getBytes(UTF_8), Path.of("state.json")))
                .isEqualTo(state);
    }

    /** States of a run that adds, changes and removes hosts, their roles and resources. */
    private static List<SiteState> run(Random random) {
        var states = new ArrayList<SiteState>();
        var state = SiteState.fresh("lab", "1.0");
        for (int step = 0; step < 200; step++) {
            var name = "node-" + random.nextInt(10);
            var host = state.hosts().get(name);
            state = switch (random.nextInt(5)) {
                case 0 -> state.withoutHost(name).withoutResource("instance/" + name);
                case 1 -> state.withHost(name, host(name, 22 + step));
                case 2 -> state.withResource("instance/" + name, resource(name, step));
                case 3 -> host == null ? state : state.withHost(name, host.withRole("motd", role(step)));
                default -> state.withSerial(state.serial() + 1);
            };
            states.add(state);
        }
        return states;
    }

    private static RecordedHost host(String address, int port) {
        return new RecordedHost(address, port, "root", null, new TreeMap<>());
    }

    private static RecordedResource resource(String name, int step) {
        return new RecordedResource("instance", name, new TreeMap<>(), List.of("network/" + step));
    }

    private static RecordedRole role(int step) {
        var contract = StateJson.MAPPER.createObjectNode();
        contract.putArray("items").addObject().put("path", "/etc/motd").put("step", step);
        return new RecordedRole("base", List.of(), "f" + step, contract, List.of());
    }

    private static String text(StateWriter writer, SiteState state) throws IOException {
        var bytes = new ByteArrayOutputStream();
        writer.write(state, bytes);
        return bytes.toString(UTF_8);
    }
}
