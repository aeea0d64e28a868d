package io.deepsite.ansible;

import io.deepsite.Fuzz;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The output of Ansible's callback; on a full disk the end of a line is missing, and the next line follows directly.
 */
class EventsFuzzTest {
    @Test
    void aLineIsAnEventOrNone() {
        Fuzz.run(
                "events",
                List.of("""
                {"event":"result","role":"slurm","task":"t","host":"node-1","status":"failed","msg":"no","stderr":"e","loop":[{"status":"failed","msg":"m"}]}""", """
                {"event":"stats","hosts":{"node-1":{"failures":0,"unreachable":0,"ok":3}}}"""),
                text -> AnsibleEvent.read(text).ifPresent(event -> {
                    event.message();
                    event.isFault();
                    event.unreachable();
                }));
    }
}
