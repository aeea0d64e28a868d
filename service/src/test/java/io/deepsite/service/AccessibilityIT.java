package io.deepsite.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Pages in a real Chromium, judged by axe: light and dark, wide and narrow, in each state of a site. */
class AccessibilityIT {
    @TempDir
    Path folder;

    @Test
    void pagesCanBeUsedByEverybody() throws Exception {
        try (var service = new ServiceOnFake(folder)) {
            service.login("bob", "biologists");
            // An address, so that there is mail; a manager, so that secrets are shown again.
            var alice = service.login("alice@example.org", "biologists", "heads", "physicists");
            var door = alice.planned("door");
            service.ready(door);
            alice.post("/v1/sites/" + door + "/secrets/door_password", "");
            var planned = alice.order(1);
            alice.await(planned, "planned");
            var ready = built(alice, "ready");
            alice.post("/v1/sites/" + ready + "/shares", "{\"person\": \"bob\"}");
            var resized = built(alice, "ready");
            alice.post("/v1/sites/" + resized + "/resize", "{\"parameters\": {\"nodes\": \"2\"}}");
            alice.await(resized, "planned");
            service.cloud.fail(Optional.of(Map.entry(
                    "create instance/node-1",
                    new Failure(Diagnostic.error(Code.PROVIDER_REFUSED, "No room on this host.", "Ask for less.")))));
            var failed = built(alice, "failed");

            assertThat(faults(
                            service,
                            alice,
                            "/",
                            "/order/hpc?project=biology",
                            "/sites/" + planned,
                            "/own/biology",
                            "/sites/" + ready,
                            "/sites/" + ready + "/resize",
                            "/sites/" + resized,
                            "/sites/" + failed,
                            "/sites/" + door,
                            "/sites/nothing",
                            "/login/test"))
                    .isEmpty();
        }
    }

    private static String built(ServiceOnFake.Browser alice, String end) {
        var id = alice.order(1);
        alice.await(id, "planned");
        assertThat(alice.post("/v1/sites/" + id + "/confirm", "{}").statusCode())
                .isEqualTo(202);
        alice.await(id, end);
        return id;
    }

    private List<String> faults(ServiceOnFake service, ServiceOnFake.Browser alice, String... paths)
            throws IOException, InterruptedException {
        var axe = folder.resolve("axe.js");
        try (var script = Objects.requireNonNull(AccessibilityIT.class.getResourceAsStream("/axe.min.js"))) {
            Files.write(axe, script.readAllBytes());
        }
        var command = new ArrayList<>(List.of(
                "../testbed/service/axe.py",
                axe.toString(),
                service.at("").toString().replaceAll("/$", ""),
                alice.cookie()));
        command.addAll(List.of(paths));
        var process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed.lines().toList();
    }
}
