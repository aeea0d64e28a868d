package io.deepsite.ansible;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * One line that the callback {@code deepsite_events} writes; a field that does not apply to the event is null.
 *
 * @param event play, task, result, included or stats
 * @param play its name
 * @param status of a result: ok, changed, failed, unreachable or skipped
 * @param ignored a failure that does not end the play
 * @param ends a result of the last task of a role
 * @param failed_item id of the contract's item that failed
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@SuppressWarnings("MemberName") // as the callback writes them
public record AnsibleEvent(
        String event,
        @Nullable String play,
        @Nullable String role,
        @Nullable String task,
        @Nullable String host,
        @Nullable String status,
        boolean ignored,
        boolean changed,
        boolean ends,
        @Nullable String msg,
        @Nullable String stderr,
        @Nullable String failed_item,
        @Nullable List<Map<String, Object>> loop) {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    public AnsibleEvent {
        Objects.requireNonNull(event, "event");
        loop = loop == null ? null : loop.stream().filter(Objects::nonNull).toList();
    }

    /**
     * Empty for a line that is no event: a full disk cut it off. A host is done only if an event says so.
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
