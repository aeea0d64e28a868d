package io.deepsite.lxd;

import io.deepsite.site.Size;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** A second, real LXD with simulated cards (testbed/lxd/fake-gpu), started for the tests that need their own. */
final class GpuDaemon implements BeforeAllCallback {
    static final String FOLDER = "/var/lib/deepsite-lxd-gpu";
    private static final String BRIDGE = "lxdgpubr0";

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(Namespace.create(GpuDaemon.class))
                .computeIfAbsent("daemon", _ -> new Running(), Running.class);
    }

    static LxdSettings settings() {
        return SampleSettings.at(
                        "unix://" + FOLDER + "/unix.socket",
                        new LxdPool("nova", "btrfs", Size.parse("20GiB"), Optional.empty(), Optional.empty()),
                        BRIDGE)
                .lxd();
    }

    private static final class Running implements AutoCloseable {
        Running() {
            Testbed.run("testbed/lxd/fake-gpu", "up");
        }

        @Override
        public void close() {
            Testbed.run("testbed/lxd/fake-gpu", "down");
        }
    }
}
