package io.deepsite.ansible;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * One line that the callback {@code deepsite_events} writes; a field that does not apply to the event is null.
 *
 * @param event play, task, result, included or stats
 * @param status of a result: ok, changed, failed, unreachable or skipped
 * @param ignored a failure that does not end the play
 * @param failed_item id of the contract's item that failed
 * @param hosts of stats: by host, the count of its tasks by result
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@SuppressWarnings("MemberName") // as the callback writes them
public record AnsibleEvent(
        String event,
        @Nullable String role,
        @Nullable String task,
        @Nullable String host,
        @Nullable String status,
        boolean ignored,
        boolean changed,
        @Nullable String msg,
        @Nullable String stderr,
        @Nullable String failed_item,
        @Nullable List<Map<String, Object>> loop,
        @Nullable Object hosts) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    public AnsibleEvent {
        Objects.requireNonNull(event, "event");
        loop = loop == null ? null : loop.stream().filter(Objects::nonNull).toList();
    }

    /**
     * Empty for a line that is no event: a full disk cut it off. Only the last event, stats, says which hosts are done.
     */
    static Optional<AnsibleEvent> read(String line) {
        try {
            return Optional.ofNullable(JSON.readValue(line, AnsibleEvent.class));
        } catch (JacksonException _) {
            return Optional.empty();
        }
    }

    boolean isFault() {
        return event.equals("result") && !ignored && ("failed".equals(status) || "unreachable".equals(status));
    }

    /** The hosts that completed the whole play; only stats, the last event, has them. */
    Set<String> finished() {
        var finished = new TreeSet<String>();
        if (event.equals("stats") && hosts instanceof Map<?, ?> all) {
            all.forEach((host, counts) -> {
                if (counts instanceof Map<?, ?> ended && none(ended, "failures") && none(ended, "unreachable")) {
                    finished.add(String.valueOf(host));
                }
            });
        }
        return finished;
    }

    private static boolean none(Map<?, ?> counts, String what) {
        return counts.get(what) instanceof Integer count && count == 0;
    }

    boolean unreachable() {
        return "unreachable".equals(status);
    }

    /** The task's own message with its stderr; for a loop, that of the first failed element. */
    String message() {
        if (loop != null) {
            for (var element : loop) {
                if ("failed".equals(element.get("status")) && element.get("msg") instanceof String text) {
                    return said(text, element.get("stderr") instanceof String words ? words : null);
                }
            }
        }
        return said(msg, stderr);
    }

    private static String said(@Nullable String msg, @Nullable String stderr) {
        var said = msg == null ? "" : msg.strip();
        return stderr == null || stderr.isBlank() || said.contains(stderr.strip())
                ? said
                : said + "\n" + stderr.strip();
    }
}
