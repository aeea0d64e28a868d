package io.deepsite.operations;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.PlainText;
import io.deepsite.remote.BoundedBytes;
import io.deepsite.remote.RemoteHost;
import io.deepsite.state.Secret;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Takes away from a machine what makes it one of a kind, and searches what is left for keys and secrets:
 * {@code seal.py}, sent over one connection, the last that the machine accepts.
 */
final class MachineSeal {
    static final String SCRIPT = script();

    private static final List<String> PYTHON = List.of("python3", "-");
    private static final Duration LIMIT = Duration.ofMinutes(20);
    private static final int MOST_SHOWN = 20;
    private static final int MOST_ANSWER = 4 * 1024 * 1024;
    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final SiteContext bake;
    private final String machine;
    private final ImageContents contents;
    private final List<String> enabled;

    private MachineSeal(SiteContext bake, String machine, ImageContents contents, List<String> enabled) {
        this.bake = bake;
        this.machine = machine;
        this.contents = contents;
        this.enabled = enabled;
    }

    /** What the script prints; lists that it leaves out are empty. */
    record Answer(List<String> enabled, List<Found> found, long files, long bytes) {
        Answer(@Nullable List<String> enabled, @Nullable List<Found> found, long files, long bytes) {
            this.enabled = enabled == null ? List.of() : List.copyOf(enabled);
            this.found = found == null ? List.of() : List.copyOf(found);
            this.files = files;
            this.bytes = bytes;
        }
    }

    record Found(String path, String what) {}

    /** Before packages are installed: services that run in every machine of the image have to stay enabled. */
    static MachineSeal begin(SiteContext bake, String machine, ImageContents contents) {
        return new MachineSeal(
                bake, machine, contents, run(bake, machine, "main('before')").enabled());
    }

    /**
     * Nobody can log in afterwards.
     *
     * @throws Failure IMAGE_HOLDS_SECRETS
     */
    void close() {
        var secrets = bake.secrets().names().stream()
                .flatMap(name -> bake.secrets().find(name).stream())
                .map(Secret::reveal)
                .toList();
        var job = JSON.writeValueAsString(Map.of(
                "host",
                machine,
                "before",
                enabled,
                "units",
                contents.units(),
                "paths",
                contents.paths(),
                "secrets",
                secrets));
        // A string of JSON is one of Python, too.
        var answer = run(bake, machine, "main('seal', json.loads(" + JSON.writeValueAsString(job) + "))");
        if (!answer.found().isEmpty()) {
            throw new Failure(
                    answer.found().stream().limit(MOST_SHOWN).map(this::refused).toList());
        }
    }

    private Diagnostic refused(Found found) {
        return Diagnostic.error(
                Code.IMAGE_HOLDS_SECRETS,
                PlainText.of(found.path()) + " on the machine " + machine + " holds " + PlainText.of(found.what())
                        + ". Every machine of the image would have it, so no image was stored.",
                "If it is in the image that site.yaml names, take it out there. If a package of a role made it, this role"
                        + " cannot be part of an image: bake other groups alone.",
                "deepsite image bake");
    }

    private static Answer run(SiteContext bake, String machine, String call) {
        var script = SCRIPT + "\n" + call + "\n";
        var stdout = new BoundedBytes(MOST_ANSWER);
        var stderr = new BoundedBytes(RemoteHost.KEPT);
        try (var host = bake.remote().open(bake.target(machine))) {
            int exit = host.exec(
                    PYTHON, new ByteArrayInputStream(script.getBytes(StandardCharsets.UTF_8)), stdout, stderr, LIMIT);
            if (exit != 0) {
                throw failed(machine, "it ended with exit code " + exit + ": " + lastLine(stderr));
            }
        }
        try {
            return JSON.readValue(stdout.text(), Answer.class);
        } catch (JacksonException e) {
            throw failed(machine, "its answer cannot be read");
        }
    }

    private static String script() {
        try (var in = Objects.requireNonNull(MachineSeal.class.getResourceAsStream("seal.py"), "seal.py")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String lastLine(BoundedBytes stderr) {
        var lines = stderr.text().strip().lines().toList();
        return lines.isEmpty() ? "it said nothing" : PlainText.of(lines.getLast());
    }

    private static Failure failed(String machine, String why) {
        return new Failure(Diagnostic.error(
                Code.IMAGE_NOT_SEALED,
                "The script that cleans and searches the machine " + machine + " failed: " + why
                        + ". No image was stored.",
                "Run it again; if it fails again, make the image on another base image.",
                "deepsite image bake"));
    }
}
