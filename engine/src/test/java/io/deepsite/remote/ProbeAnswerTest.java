package io.deepsite.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.contract.Action;
import io.deepsite.contract.Contract;
import io.deepsite.contract.Item;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ProbeAnswerTest {
    private static final Item GROUP =
            new Item.Group("munge", Optional.empty(), true, Item.Phase.BEFORE, Item.Notify.NONE);
    private static final Item SERVICE =
            new Item.Service("munge.service", true, true, Item.Phase.AFTER, Item.Notify.NONE);
    private static final Action ACTION = new Action(
            "joined",
            "joins",
            List.of("true"),
            "joined.yml",
            Optional.empty(),
            Optional.of("none is needed"),
            Action.Impact.NOTHING,
            new TreeMap<>(),
            "digest",
            false);
    private static final ProbeScript SCRIPT = ProbeScript.of(
            "n0nce", List.of(new Contract("munge", "node-1", List.of(GROUP, SERVICE), List.of(ACTION))), false);

    private static final String FACTS = """
            {"n":1,"seen":{"os":{"id":"debian","version":"12","codename":"bookworm"},"cpus":2,"memory_mib":2048,\
            "hostname":"node-1","arch":"x86_64","kernel":"6.1","cmdline":"quiet","boot_id":"b","container":"lxc",\
            "uid":0,"time":1700000000,"python3":true}}
            """;
    private static final String GROUP_LINE = "{\"n\":2,\"seen\":{\"exists\":true,\"gid\":110}}\n";
    private static final String SERVICE_LINE = "{\"n\":3,\"seen\":{\"enabled\":true,\"active\":true}}\n";
    private static final String ACTION_LINE = "{\"n\":4,\"seen\":{\"rc\":0}}\n";
    private static final String BEGIN = "deepsite-probe 1 n0nce\n";
    private static final String WHOLE =
            BEGIN + FACTS + GROUP_LINE + SERVICE_LINE + ACTION_LINE + "deepsite-probe end 4\n";

    @Test
    void readsFactsItemsAndActions() {
        var answer = read(WHOLE);

        assertThat(answer.of(GROUP).text("gid")).isEqualTo("110");
        assertThat(SERVICE.differences(answer.of(SERVICE))).isEmpty();
        assertThat(answer.isDone("munge", "joined")).isTrue();
        assertThat(answer.facts().osId()).isEqualTo("debian");
        assertThat(answer.facts().memoryMebibytes()).isEqualTo(2048);
        assertThat(answer.facts().container()).contains("lxc");
    }

    @Test
    void doesNotCareForTheOrderNorForTheNoiseOfALogin() {
        var answer = read("Welcome!\ndeepsite-probe 1 other\n" + BEGIN + ACTION_LINE + SERVICE_LINE + GROUP_LINE + FACTS
                + "deepsite-probe end 4\nbye\n");

        assertThat(answer.of(GROUP).unknown()).isEmpty();
        assertThat(answer.facts().cpus()).isEqualTo(2);
    }

    @Test
    void neverTakesATornAnswerForAgreement() {
        for (int end = 0; end < WHOLE.length(); end++) {
            var raw = ProbeAnswer.Raw.read("n0nce", WHOLE.substring(0, end));
            var answer = ProbeAnswer.of(SCRIPT, raw);

            assertThat(raw.complete()).as("cut at %d", end).isFalse();
            if (end < BEGIN.length() + FACTS.length() + GROUP_LINE.length() + SERVICE_LINE.length()) {
                assertThat(answer.of(SERVICE).unknown()).as("cut at %d", end).isPresent();
                assertThat(SERVICE.differences(answer.of(SERVICE)))
                        .as("cut at %d", end)
                        .isNotEmpty();
            }
            if (end < WHOLE.length() - "deepsite-probe end 4\n".length()) {
                assertThat(answer.done()).as("cut at %d", end).isEmpty();
            }
        }
    }

    @Test
    void doesNotBelieveGarbledLines() {
        for (var line : List.of(
                "{\"n\":3,\"seen\":{\"enabled\":true,\"active\":true}} trailing\n",
                "{\"n\":3,\"seen\":{\"enabled\":true,\"active\":true}\n",
                "{\"n\":3,\"n\":3,\"seen\":{\"enabled\":true,\"active\":true}}\n",
                "{\"n\":\"3\",\"seen\":{\"enabled\":true,\"active\":true}}\n",
                "{\"n\":3,\"seen\":[true]}\n",
                "{\"n\":3,\"unknown\":\"\",\"seen\":{\"enabled\":true,\"active\":true}}\n",
                "{\"n\":3,\"unknown\":7}\n",
                "[3]\n",
                "[".repeat(100_000) + "\n",
                "{\"n\":3,\"seen\":{\"enabled\":" + "[".repeat(5000) + "]".repeat(5000) + "}}\n",
                "{\"n\":3,\"seen\":{\"enabled\":" + "9".repeat(5000) + "}}\n",
                "{\"n\":99999999999999999999,\"seen\":{\"enabled\":true,\"active\":true}}\n",
                "null\n",
                "\n",
                "sh: 1: systemctl: Input/output error\n")) {
            var answer = read(WHOLE.replace(SERVICE_LINE, line));

            assertThat(answer.of(SERVICE).unknown()).as(line).isPresent();
            assertThat(answer.of(GROUP).unknown()).as(line).isEmpty();
        }
    }

    @Test
    void believesNoSizeThatNoMachineHas() {
        for (var size : List.of("-4", "4294967300", "1e9", "2.5", "\"8\"", "[4]", "99999999999999999999", "null")) {
            var facts = read(WHOLE.replace(
                            "\"cpus\":2,\"memory_mib\":2048", "\"cpus\":" + size + ",\"memory_mib\":" + size))
                    .facts();

            assertThat(facts.cpus()).as(size).isZero();
            assertThat(facts.memoryMebibytes()).as(size).isIn(0L, 4294967300L);
        }
        assertThat(read(WHOLE.replace("\"os\":{", "\"os\":[{").replace("\"bookworm\"}", "\"bookworm\"}]"))
                        .facts()
                        .osId())
                .isEmpty();
    }

    @Test
    void believesNeitherOfTwoAnswers() {
        var answer = read(
                WHOLE.replace(SERVICE_LINE, SERVICE_LINE + "{\"n\":3,\"seen\":{\"enabled\":true,\"active\":false}}\n"));

        assertThat(answer.of(SERVICE).unknown()).isPresent();
    }

    @Test
    void passesOnWhyNothingWasSeen() {
        var answer = read(WHOLE.replace(SERVICE_LINE, "{\"n\":3,\"unknown\":\"systemctl is missing\"}\n"));

        assertThat(answer.of(SERVICE).unknown()).contains("systemctl is missing");
    }

    @Test
    void anActionIsDoneOnlyIfItsProbeReportsIt() {
        assertThat(read(WHOLE.replace(ACTION_LINE, "{\"n\":4,\"seen\":{\"rc\":1}}\n"))
                        .done())
                .isEmpty();
        assertThat(read(WHOLE.replace(ACTION_LINE, "{\"n\":4,\"seen\":{}}\n")).done())
                .isEmpty();
        assertThat(read(WHOLE.replace(ACTION_LINE, "{\"n\":4,\"unknown\":\"x\"}\n"))
                        .done())
                .isEmpty();
        assertThat(read(WHOLE.replace(ACTION_LINE, "")).done()).isEmpty();
    }

    private static ProbeAnswer read(String output) {
        return ProbeAnswer.of(SCRIPT, ProbeAnswer.Raw.read("n0nce", output));
    }
}
