package io.deepsite.lxd;

import io.deepsite.provider.Pause;
import io.deepsite.site.Size;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Reads the LXD or Incus of the tests directly, not through the provider. */
final class RealLxd {
    private final Rest rest;
    private final Instances instances;

    RealLxd(DaemonSettings settings) {
        var endpoint = Endpoint.of(settings, Path.of(""));
        var faults = new Faults(settings.address());
        this.rest = new Rest(endpoint.client(), endpoint.base(), settings.project(), faults, 1);
        this.instances = new Instances(rest, new Operations(rest, faults, new Events(rest)), settings.daemon());
    }

    /** A client for the daemon at LXD_DIR, like lxc. */
    static LxdSettings settings(String pool, String network) {
        var folder = Optional.ofNullable(System.getenv("LXD_DIR")).orElse("/var/lib/lxd");
        return SampleSettings.at(
                        "unix://" + folder + "/unix.socket",
                        new LxdPool(pool, "btrfs", Size.parse("2GiB"), Optional.empty(), Optional.empty()),
                        network)
                .lxd();
    }

    /** A client for the daemon at INCUS_DIR, like incus. */
    static IncusSettings incus(String pool, String network) {
        var folder = Optional.ofNullable(System.getenv("INCUS_DIR")).orElse("/var/lib/incus");
        return SampleSettings.at(
                        "unix://" + folder + "/unix.socket",
                        new LxdPool(pool, "btrfs", Size.parse("2GiB"), Optional.empty(), Optional.empty()),
                        network)
                .incus();
    }

    Rest rest() {
        return rest;
    }

    Instances instances() {
        return instances;
    }

    Optional<String> file(String instance, String path) {
        return rest.text(rest.path("instances", instance, "files").addQueryParameter("path", path));
    }

    /** Makes it listen on the loopback net, too. */
    String listen() throws IOException {
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        rest.send("PATCH", rest.path(), Map.of("config", Map.of("core.https_address", "127.0.0.1:" + port)));
        return "https://127.0.0.1:" + port;
    }

    /** Waits until the guest has an IPv4 address on eth0. */
    String waitForAddress(String instance) {
        while (true) {
            var state = rest.get(rest.path("instances", instance, "state"), JsonNode.class);
            for (var address : state.path("network").path("eth0").path("addresses")) {
                if (address.path("family").asString("").equals("inet")) {
                    return address.path("address").asString();
                }
            }
            Pause.REAL.of(Duration.ofMillis(200));
        }
    }
}
