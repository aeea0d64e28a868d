package io.deepsite.cluster.mesos;

import io.deepsite.diag.Code;
import io.deepsite.diag.Failure;
import io.deepsite.site.load.DocumentLoader;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.Places;
import java.nio.file.Path;

/** Reads a description of work for a Mesos cluster, and reports all its faults in one run. */
public final class WorkLoader {
    private static final DocumentLoader<Work> LOADER =
            new DocumentLoader<>(Work.class, "work", "name: demo", "docs/guides/mesos.md has examples.");

    private WorkLoader() {}

    /** The framework that gets the work. */
    public enum Framework {
        MARATHON,
        CHRONOS
    }

    /**
     * @param file as the user typed it; diagnostics show it unchanged
     * @throws Failure with all faults of the file
     */
    public static Work load(Path file, Framework framework) {
        return LOADER.load(file, checks(framework));
    }

    /**
     * Reads a text that is not on disk.
     *
     * @param file the name that diagnostics show
     * @throws Failure with all faults of the text
     */
    public static Work load(String file, String text, Framework framework) {
        return LOADER.load(file, text, checks(framework));
    }

    private static DocumentLoader.Check<Work> checks(Framework framework) {
        return (places, findings, work) -> new WorkChecks(places, findings, work).run(framework);
    }

    /** Checks the relations between the keys of the work. */
    private record WorkChecks(Places places, Findings findings, Work work) {
        void run(Framework framework) {
            gpus();
            networks();
            switch (framework) {
                case MARATHON -> marathon();
                case CHRONOS -> chronos();
            }
        }

        private void gpus() {
            if (work.gpus() > 0 && !work.inMesos()) {
                findings.faultOnce(
                        Code.NOT_TOGETHER,
                        places.of("container"),
                        "Mesos gives GPUs only to its own containers: its agents cannot pass one to Docker's, and"
                                + " such a task would wait forever.",
                        "Write container: mesos, which runs Docker's images, too; or remove gpus.");
            }
        }

        private void networks() {
            if (work.inMesos() && !work.onHostNetwork()) {
                findings.faultOnce(
                        Code.NOT_TOGETHER,
                        places.of("network"),
                        "Mesos containers use the network of their host: only Docker has bridges, container ports"
                                + " and mappings.",
                        "Remove the key; tasks find the ports of their host in $PORT0, $PORT1 and so on.");
            }
            for (int i = 0; i < work.ports().size(); i++) {
                var port = work.ports().get(i);
                if (work.onHostNetwork() && port.container().isPresent()) {
                    findings.faultOnce(
                            Code.NOT_TOGETHER,
                            places.of("ports[" + i + "].container"),
                            "On the network of its host a container has no ports of its own"
                                    + (work.inMesos() ? ", and Mesos containers have no other network." : "."),
                            "Remove it; tasks find the ports of their host in $PORT0, $PORT1 and so on.");
                } else if (!work.onHostNetwork() && port.container().isEmpty()) {
                    findings.faultOnce(
                            Code.MISSING_KEY,
                            places.of("ports[" + i + "]"),
                            "The port of the container is missing.",
                            "Add container: with its number, or write network: host.");
                }
            }
        }

        private void marathon() {
            noEffect("schedule", "Marathon keeps services running; only jobs have a schedule.");
            noEffect("retries", "Marathon always restarts a task that ended.");
            noEffect("user", "Services run as Marathon's own user.");
            if (work.image().isEmpty() && work.command().isEmpty()) {
                findings.faultOnce(
                        Code.MISSING_KEY,
                        places.of(""),
                        "It has neither a command nor an image, so nothing would run.",
                        "Add one.");
            }
        }

        private void chronos() {
            noEffect("instances", "A job is one task.");
            noEffect("ports", "Load balancers forward connections only to services of Marathon.");
            if (work.command().isEmpty()) {
                findings.faultOnce(
                        Code.MISSING_KEY,
                        places.of(""),
                        "A Chronos job needs a command, and there is none.",
                        "Add command:.");
            }
        }

        private void noEffect(String key, String why) {
            if (places.has(key)) {
                findings.fault(Code.NO_EFFECT, places.ofKey(key), why, "Remove the key.");
            }
        }
    }
}
