package io.deepsite.lxd;

import io.deepsite.site.Size;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** A real cluster of two LXD daemons (testbed/lxd/cluster), started for the tests that need one. */
final class ClusterDaemons implements BeforeAllCallback {
    private static final String FOLDER = "/var/lib/deepsite-lxd-cluster/c1";
    private static final String BRIDGE = "lxdclubr0";

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(Namespace.create(ClusterDaemons.class))
                .computeIfAbsent("cluster", _ -> new Running(), Running.class);
    }

    static LxdSettings settings() {
        return SampleSettings.at(
                        "unix://" + FOLDER + "/unix.socket",
                        new LxdPool("nova", "btrfs", Size.parse("4GiB"), Optional.empty(), Optional.empty()),
                        BRIDGE)
                .lxd();
    }

    private static final class Running implements AutoCloseable {
        Running() {
            Testbed.run("testbed/lxd/cluster", "up");
        }

        @Override
        public void close() {
            Testbed.run("testbed/lxd/cluster", "down");
        }
    }
}
