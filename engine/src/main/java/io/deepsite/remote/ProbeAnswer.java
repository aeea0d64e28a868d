package io.deepsite.remote;

import io.deepsite.contract.Item;
import io.deepsite.contract.Seen;
import io.deepsite.provider.PciBus;
import io.deepsite.remote.ProbeScript.Question;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The observations on one host.
 *
 * @param items by item id: every requested item; one without a readable answer is unknown
 * @param done actions whose probe reports done, as {@code <role>/<action>}
 * @param texts by path: fetched files; omits a file that is absent, too large or not text
 * @param bus if it was requested
 */
public record ProbeAnswer(
        HostFacts facts,
        SortedMap<String, Seen> items,
        SortedSet<String> done,
        SortedMap<String, String> texts,
        Optional<PciBus> bus) {

    /** Without the PCI bus. */
    public ProbeAnswer(
            HostFacts facts, SortedMap<String, Seen> items, SortedSet<String> done, SortedMap<String, String> texts) {
        this(facts, items, done, texts, Optional.empty());
    }

    public ProbeAnswer {
        items = Collections.unmodifiableSortedMap(new TreeMap<>(items));
        done = Collections.unmodifiableSortedSet(new TreeSet<>(done));
        texts = Collections.unmodifiableSortedMap(new TreeMap<>(texts));
    }

    public Seen of(Item item) {
        return items.getOrDefault(item.id(), Seen.unknown("it was not asked for"));
    }

    public boolean isDone(String role, String action) {
        return done.contains(role + "/" + action);
    }

    ProbeAnswer with(SortedMap<String, String> fetched) {
        return new ProbeAnswer(facts, items, done, fetched, bus);
    }

    static ProbeAnswer of(ProbeScript script, Raw raw) {
        var facts = HostFacts.UNKNOWN;
        Optional<Seen> bus = Optional.empty();
        var items = new TreeMap<String, Seen>();
        var done = new TreeSet<String>();
        for (int i = 0; i < script.questions().size(); i++) {
            var question = script.questions().get(i);
            var seen = raw.seen(i + 1, question);
            switch (question) {
                case Question.Facts _ -> facts = HostFacts.of(seen);
                case Question.Bus _ -> bus = Optional.of(seen);
                case Question.OfItem(var item) -> items.put(item.id(), seen);
                case Question.OfAction action -> {
                    if (seen.fields().get("rc") instanceof Integer rc && rc == 0) {
                        done.add(action.key());
                    }
                }
                case Question.OfBytes _ -> throw new IllegalArgumentException("a fetch has no items");
            }
        }
        var commandLine = facts.kernelCommandLine();
        return new ProbeAnswer(
                facts, items, done, new TreeMap<>(), bus.flatMap(seen -> BusAnswer.of(seen, commandLine)));
    }

    /**
     * The lines of an answer.
     *
     * @param byNumber what was readable; omits a number that came twice: one of the two is wrong
     * @param complete whether the answer has its first and last line; else it was cut off
     */
    record Raw(Map<Integer, Seen> byNumber, boolean complete) {
        /** The exit code of timeout(1). */
        private static final int TIMED_OUT = 124;

        private static final JsonMapper JSON = JsonMapper.builder()
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();

        /** @param output the whole output: noise of the login, then the frame */
        static Raw read(String nonce, String output) {
            int begin = frame(output, "deepsite-probe 1 " + nonce + "\n");
            if (begin < 0) {
                return new Raw(Map.of(), false);
            }
            var seen = new HashMap<Integer, Seen>();
            var twice = new HashSet<Integer>();
            Optional<String> count = Optional.empty();
            for (int at = begin; at < output.length() && count.isEmpty(); ) {
                int end = output.indexOf('\n', at);
                if (end < 0) {
                    // A last line without its line break may be cut anywhere, also within a number.
                    break;
                }
                var line = output.substring(at, end);
                if (line.startsWith("deepsite-probe end ")) {
                    count = Optional.of(line.substring("deepsite-probe end ".length()));
                } else {
                    line(line, seen, twice);
                }
                at = end + 1;
            }
            twice.forEach(seen::remove);
            return new Raw(seen, count.isPresent());
        }

        /**
         * An action whose `done` command timed out on the host. Treating it as not done would run the action again on a
         * host that is merely busy.
         */
        Optional<Question.OfAction> unanswered(ProbeScript script) {
            for (int i = 0; i < script.questions().size(); i++) {
                if (script.questions().get(i) instanceof Question.OfAction action
                        && Integer.valueOf(TIMED_OUT)
                                .equals(seen(i + 1, action).fields().get("rc"))) {
                    return Optional.of(action);
                }
            }
            return Optional.empty();
        }

        /** @param numbers of the lines that answer 1, 2, 3, … */
        Raw renumbered(List<Integer> numbers) {
            var seen = new HashMap<Integer, Seen>();
            for (int i = 0; i < numbers.size(); i++) {
                var one = byNumber.get(numbers.get(i));
                if (one != null) {
                    seen.put(i + 1, one);
                }
            }
            return new Raw(seen, complete);
        }

        Seen seen(int number, Question question) {
            if (!ProbeScript.askable(question)) {
                return Seen.unknown("its name holds a control character");
            }
            return byNumber.getOrDefault(
                    number,
                    Seen.unknown(
                            complete ? "the probe's answer for it is unreadable" : "the probe's answer broke off"));
        }

        private static void line(String line, Map<Integer, Seen> seen, Set<Integer> twice) {
            try {
                if (JSON.readValue(line, Object.class) instanceof Map<?, ?> answer
                        && answer.get("n") instanceof Integer number
                        && answer.size() == 2) {
                    var one =
                            answer.containsKey("unknown") ? unknown(answer.get("unknown")) : fields(answer.get("seen"));
                    if (seen.put(number, one) != null) {
                        twice.add(number);
                    }
                }
            } catch (JacksonException e) {
                // Ignore a line that is not JSON: its item stays unknown.
                return;
            }
        }

        private static Seen unknown(@Nullable Object why) {
            return Seen.unknown(
                    why instanceof String text && !text.isBlank() ? text : "the probe could not determine it");
        }

        private static Seen fields(@Nullable Object members) {
            if (!(members instanceof Map<?, ?> map)) {
                return Seen.unknown("the probe's answer for it is unreadable");
            }
            var fields = new TreeMap<String, Object>();
            map.forEach((name, value) -> fields.put(String.valueOf(name), value));
            return Seen.of(fields);
        }

        /** Index after the line that equals {@code line}; -1 if there is none. */
        private static int frame(String output, String line) {
            for (int at = output.indexOf(line); at >= 0; at = output.indexOf(line, at + 1)) {
                if (at == 0 || output.charAt(at - 1) == '\n') {
                    return at + line.length();
                }
            }
            return -1;
        }
    }
}
