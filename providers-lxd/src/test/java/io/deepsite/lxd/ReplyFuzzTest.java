package io.deepsite.lxd;

import io.deepsite.Fuzz;
import io.deepsite.diag.Failure;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;

/** What LXD answers, and what tells of it. */
class ReplyFuzzTest {
    @Test
    void anAnswerIsReadOrIsNone() {
        Fuzz.run(
                "lxd",
                List.of(Recorded.text("host.json"), Recorded.text("cards.json")),
                text -> Rest.read(Json.MAPPER.readTree(text), Snapshot.class),
                JacksonException.class);
    }

    @Test
    void anEventIsOfAnOperationOrOfNone() {
        Fuzz.run(
                "lxd events",
                List.of("{\"type\":\"operation\",\"metadata\":{\"id\":\"u\",\"status\":\"Running\",\"status_code\":103,"
                        + "\"metadata\":{\"download_progress\":\"rootfs: 5%\"}}}"),
                text -> Events.Event.read(text).ifPresent(event -> {
                    event.metadata().progress();
                    event.metadata().id();
                }));
    }

    @Test
    void aTokenIsReadOrRefused() {
        Fuzz.run("token", List.of("eyJjbGllbnRfbmFtZSI6ImQifQ=="), TrustToken::read, Failure.class);
    }
}
