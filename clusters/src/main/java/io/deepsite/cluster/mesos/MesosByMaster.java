package io.deepsite.cluster.mesos;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.remote.BoundedBytes;
import io.deepsite.remote.RemoteHost;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Access as the cluster's administrator, on one of its masters; the passwords stay there. */
record MesosByMaster(RemoteHost master) implements MesosApi {
    private static final Duration LIMIT = Duration.ofMinutes(1);
    private static final int LARGEST = 64 * 1024 * 1024;

    @Override
    public String ask(Part part, String method, String path, Optional<String> body) {
        var argv = new ArrayList<>(List.of("/usr/local/sbin/deepsite-mesos"));
        switch (part) {
            case Part.Service service -> argv.add(service.name().toLowerCase(Locale.ROOT));
            case Part.Agent agent -> argv.addAll(List.of("agent", agent.address()));
        }
        argv.addAll(List.of(method, path));
        var out = new BoundedBytes(LARGEST);
        var err = new BoundedBytes(RemoteHost.KEPT);
        var in = new ByteArrayInputStream(body.orElse("").getBytes(StandardCharsets.UTF_8));
        if (master.exec(argv, in, out, err, LIMIT) != 0) {
            throw new Failure(Diagnostic.error(
                    Code.WORK_REFUSED, err.text().strip(), "Check whether the cluster works: deepsite verify."));
        }
        return out.text();
    }
}
