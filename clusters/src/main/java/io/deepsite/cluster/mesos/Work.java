package io.deepsite.cluster.mesos;

import io.deepsite.site.Key;
import io.deepsite.site.Name;
import io.deepsite.site.OneOf;
import io.deepsite.site.OtherKeys;
import io.deepsite.site.Size;
import io.deepsite.site.Span;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Work for a Mesos cluster, as a file of its own describes it: a service of Marathon, or a job of Chronos. */
public record Work(
        @Key(value = "Its name in the cluster.", example = "tensorflow-app")
        Name name,

        @Key(
                value = "The image of its container; without one it runs on the host as it is.",
                example = "tensorflow/tensorflow:latest",
                pattern = "[A-Za-z0-9][A-Za-z0-9._:/@-]*")
        Optional<String> image,

        @Key(
                value = "What the shell in it runs; without it the image runs what it is made for. A job needs one.",
                example = "PORT=8888 /run_jupyter.sh --allow-root")
        Optional<String> command,

        @Key(
                value = "How many cpus, or which part of one.",
                defaultValue = "0.1",
                example = "4",
                pattern = "[0-9]{1,4}([.][0-9]{1,3})?")
        String cpus,

        @Key(value = "Memory of each task.", defaultValue = "128MiB", example = "4GiB")
        Size memory,

        @Key(
                value = "Disk of each task. Without it a service asks for none, a job for Chronos' 256 MiB.",
                example = "1GiB")
        Optional<Size> disk,

        @Key(value = "Whole GPUs of each task.", defaultValue = "0", min = 0, max = 64)
        int gpus,

        @Key(value = "How many tasks of a service run.", defaultValue = "1", min = 0, max = 10_000)
        int instances,

        @Key(
                value = "Who runs its container: docker, or mesos, which is the only one that gives GPUs. By default"
                        + " mesos for work with GPUs, docker for other.",
                choices = {"docker", "mesos"},
                requires =
                        @OtherKeys(
                                value = "image",
                                when = "container=docker",
                                why = "A container of Docker is made from an image."))
        Optional<String> container,

        @Key(
                value = "Whether it has a network behind its host's (bridge), or the host's own. By default bridge in"
                        + " docker, host in mesos, which knows no other.",
                choices = {"bridge", "host"})
        Optional<String> network,

        @Key("Ports of a service.") List<Port> ports,

        @Key("How Marathon finds out whether a task of a service works; without it every running task does.")
        Optional<HealthCheck> healthCheck,

        @Key("On which agents its tasks run; all of these must hold.")
        List<Constraint> constraints,

        @Key("Files and folders of the agent in its container.")
        List<Volume> volumes,

        @Key(value = "Whether agents fetch the image anew for each task.", defaultValue = "false")
        boolean pull,

        @Key(value = "Variables of its environment.", example = "{WORDS: 20}")
        Map<Variable, String> env,

        @Key(
                value = "Files that are fetched into its folder first.",
                example = "[https://files.example.org/gpu_demo.sh]",
                pattern = "https?://[^\\s\"']+")
        List<String> uris,

        @Key(
                value =
                        "When a job runs, as Chronos writes it: how often, from when, each how long; without it once, now.",
                example = "R/2030-03-05T23:00:00.000Z/PT24H",
                pattern = "R[0-9]*/[0-9TZ:.+-]*/P[0-9A-Z.]+")
        Optional<String> schedule,

        @Key(
                value = "A job runs each time when all these jobs, which must exist, have succeeded since it last ran.",
                example = "[fetch, unpack]",
                excludes =
                        @OtherKeys(
                                value = "schedule",
                                why = "Chronos starts a job at its times, or after its parents, never both."))
        List<Name> parents,

        @Key(value = "How often a job that failed is tried again.", defaultValue = "2", min = 0, max = 100)
        int retries,

        @Key(value = "Who runs a job on its agent.", defaultValue = "root", pattern = "[a-z_][a-z0-9_-]*")
        String user) {
    public Work {
        ports = List.copyOf(ports);
        env = Map.copyOf(env);
        uris = List.copyOf(uris);
        constraints = List.copyOf(constraints);
        volumes = List.copyOf(volumes);
        parents = List.copyOf(parents);
    }

    public record Port(
            @Key(
                    value = "The port in its container; only with a network behind the host's. On the host's own, tasks"
                            + " find theirs in $PORT0, $PORT1 and so on.",
                    example = "8888",
                    min = 1,
                    max = 65_535)
            Optional<Integer> container,

            @Key(
                    value = "The port on the load balancers; 0 lets Marathon choose. Without it they pass nothing on.",
                    example = "10000",
                    min = 0,
                    max = 65_535)
            Optional<Integer> service,

            @Key(value = "Its name.", example = "http") Optional<Name> name) {}

    /** The defaults are Marathon's. */
    @OneOf(
            value = {"http", "https", "tcp", "command"},
            why = "A health check asks by http, by https, connects by tcp, or runs a command.")
    public record HealthCheck(
            @Key(
                    value = "The path that answers with a status from 200 to 399. Marathon's leader asks.",
                    example = "/health",
                    pattern = "/\\S{0,1023}")
            Optional<String> http,

            @Key(
                    value = "The same with TLS; any certificate is accepted.",
                    example = "/health",
                    pattern = "/\\S{0,1023}")
            Optional<String> https,

            @Key(value = "Whether a connection is enough.", defaultValue = "false")
            boolean tcp,

            @Key(
                    value = "What the shell beside the task runs on its agent; it must exit with 0.",
                    example = "test -e ready")
            Optional<String> command,

            @Key(
                    value = "Which of the ports, counted from 0 like $PORT0.",
                    defaultValue = "0",
                    min = 0,
                    max = 65_535,
                    excludes = @OtherKeys(value = "command", why = "A command connects to what it likes."))
            int port,

            @Key(value = "For how long after its start a task may fail, until it first works.", defaultValue = "5m")
            Span grace,

            @Key(value = "How long between two checks.", defaultValue = "1m")
            Span interval,

            @Key(value = "How long a check may take.", defaultValue = "20s")
            Span timeout,

            @Key(
                    value = "After how many failures in a row a task is killed and replaced.",
                    defaultValue = "3",
                    min = 1,
                    max = 1000)
            int failures) {}

    /** What an agent must be like. */
    public record Constraint(
            @Key(
                    value = "An attribute of the agents, or hostname: the agent's address.",
                    example = "rack",
                    pattern = "[@A-Za-z0-9_.-]{1,255}")
            String attribute,

            @Key(
                    value = "How it is compared with the value (docs/guides/mesos.md); of jobs is, like or unlike.",
                    example = "like",
                    choices = {"is", "like", "unlike", "unique", "cluster", "group-by", "max-per"})
            String operator,

            @Key(
                    value = "What the operator compares with: a value, a regular expression, for max-per a number, for"
                            + " group-by how many values there are.",
                    example = "rack-[1-3]")
            Optional<String> value) {}

    public record Volume(
            @Key(value = "The path on the agent.", example = "/srv/data", pattern = "/.{0,4095}")
            String host,

            @Key(value = "The path in the container.", example = "/data", pattern = "/.{0,4095}")
            String container,

            @Key(
                    value = "Whether tasks read and write (rw) or only read (ro).",
                    defaultValue = "rw",
                    choices = {"rw", "ro"})
            String mode) {}

    /** The name of a variable. */
    public record Variable(String value) implements Comparable<Variable> {
        public Variable {
            if (!value.matches("[A-Za-z_][A-Za-z0-9_]*")) {
                throw new IllegalArgumentException("a variable is named by letters, digits and underscores");
            }
        }

        public static Variable parse(String text) {
            return new Variable(text);
        }

        @Override
        public int compareTo(Variable other) {
            return value.compareTo(other.value);
        }

        @Override
        public String toString() {
            return value;
        }
    }

    /** Mesos' own containers, which alone give GPUs; false for Docker's. */
    public boolean inMesos() {
        return container.map("mesos"::equals).orElse(gpus > 0 || image.isEmpty());
    }

    public boolean onHostNetwork() {
        return network.map("host"::equals).orElse(inMesos());
    }

    /** A job that Chronos starts by itself at some later time. */
    public boolean waits() {
        return schedule.isPresent() || !parents.isEmpty();
    }

    /** The load balancers pass connections on to it. */
    public boolean isBalanced() {
        return ports.stream().anyMatch(port -> port.service().isPresent());
    }
}
