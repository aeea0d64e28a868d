package io.deepsite.lxd;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.provider.Call;
import io.deepsite.site.ImageName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Builds images with the scripts in one folder: {@code <folder>/debian build 12 OUT} leaves {@code metadata.tar.xz} and
 * {@code rootfs.squashfs} in OUT.
 */
final class Recipes {
    private static final Pattern NAME = Pattern.compile("([a-z][a-z0-9-]*)/([a-z0-9][a-z0-9.]*)");
    private static final int LINES_SHOWN = 12;

    private final Path folder;

    Recipes(Path folder) {
        this.folder = folder;
    }

    /** The two files of LXD's split image format. */
    record Built(Path metadata, Path rootfs) {}

    Built build(ImageName image, Path out, Call call) {
        var match = NAME.matcher(image.value());
        if (!match.matches() || !Files.isExecutable(folder.resolve(match.group(1)))) {
            throw new Failure(Diagnostic.error(
                    Code.LXD_IMAGE_NOT_BUILT,
                    "deepsite has no recipe for " + image + "; it has: " + known() + ".",
                    "Import that image with the daemon's own client, or name one that deepsite can build."));
        }
        run(image, call, folder.resolve(match.group(1)).toString(), "build", match.group(2), out.toString());
        return new Built(out.resolve("metadata.tar.xz"), out.resolve("rootfs.squashfs"));
    }

    private String known() {
        try (var files = Files.list(folder)) {
            return files.filter(Files::isExecutable)
                    .map(file -> file.getFileName() + "/<release>")
                    .sorted()
                    .collect(Collectors.joining(", "));
        } catch (IOException _) {
            return "none (" + folder.toAbsolutePath() + " cannot be read)";
        }
    }

    private static void run(ImageName image, Call call, String... command) {
        var last = new ArrayDeque<String>();
        try {
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            process.getOutputStream().close();
            var reader = Thread.ofVirtual().start(() -> follow(process, last, call));
            while (!process.waitFor(200, TimeUnit.MILLISECONDS)) {
                if (call.cancelled()) {
                    end(process);
                    throw new Failure(Diagnostic.error(
                            Code.CANCELLED, "Building " + image + " was cancelled. No image was stored.", ""));
                }
            }
            reader.join();
            if (process.exitValue() != 0) {
                throw failed(image, process.exitValue(), last);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure(
                    Diagnostic.error(
                            Code.CANCELLED, "Building " + image + " was interrupted. No image was stored.", ""),
                    e);
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.LXD_IMAGE_NOT_BUILT,
                            command[0] + " cannot be run: " + e.getMessage() + ".",
                            "Check that the file is there and may be executed."),
                    e);
        }
    }

    private static void follow(Process process, Deque<String> last, Call call) {
        try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    call.progress(line.strip());
                    synchronized (last) {
                        last.addLast(line.strip());
                        if (last.size() > LINES_SHOWN) {
                            last.removeFirst();
                        }
                    }
                }
            }
        } catch (IOException _) {
            // The process has ended.
        }
    }

    /** Ends its children too: mmdebstrap runs in a process of its own. */
    private static void end(Process process) throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static Failure failed(ImageName image, int status, Deque<String> last) {
        String lines;
        synchronized (last) {
            lines = String.join("\n", last);
        }
        return new Failure(Diagnostic.error(
                Code.LXD_IMAGE_NOT_BUILT,
                "The recipe of " + image + " ended with status " + status + ". No image was stored. Its output:\n"
                        + lines,
                "Fix what it names, then run the same command again."));
    }
}
