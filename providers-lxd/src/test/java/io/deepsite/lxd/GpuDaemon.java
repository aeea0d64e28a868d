package io.deepsite.lxd;

import io.deepsite.site.ProviderSettings;
import io.deepsite.site.Size;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** A second, real LXD with simulated cards (testbed/lxd/fake-gpu), up for the tests that need one of their own. */
final class GpuDaemon implements BeforeAllCallback {
    static final String FOLDER = "/var/lib/deepsite-lxd-gpu";
    private static final String BRIDGE = "lxdgpubr0";

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(Namespace.create(GpuDaemon.class))
                .computeIfAbsent("daemon", _ -> new Running(), Running.class);
    }

    static ProviderSettings.Lxd settings() {
        return new ProviderSettings.Lxd(
                "unix://" + FOLDER + "/unix.socket",
                new ProviderSettings.LxdPool("nova", "btrfs", Size.parse("20GiB"), Optional.empty()),
                BRIDGE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static void script(String word) {
        var root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("testbed/lxd/fake-gpu"))) {
            root = root.getParent();
        }
        try {
            var process = new ProcessBuilder(
                            root.resolve("testbed/lxd/fake-gpu").toString(), word)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (!process.waitFor(10, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IllegalStateException("testbed/lxd/fake-gpu " + word + " failed");
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Running implements AutoCloseable {
        Running() {
            script("up");
        }

        @Override
        public void close() {
            script("down");
        }
    }
}
