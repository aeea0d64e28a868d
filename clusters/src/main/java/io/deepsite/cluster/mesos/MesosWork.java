package io.deepsite.cluster.mesos;

import io.deepsite.site.Name;
import io.deepsite.site.Size;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Work in the form of Marathon and Chronos: in Docker containers with ports of their own, or in Mesos containers on the
 * host's network. Which fields they have stands in {@code testbed/mesos/api.json}, with its sources.
 */
public record MesosWork(Work work) {
    private static final String BALANCED = "HAPROXY_GROUP";

    /** Once, immediately: no start time, and a period that is never reached. */
    private static final String ONCE = "R1//PT24H";

    /** For {@code POST /v2/apps}. Source: Marathon's documentation of apps, "Ports" and "Provisioning containers with the UCR". */
    public Map<String, Object> app() {
        var app = resources();
        app.put("id", "/" + work.name());
        work.command().ifPresent(command -> app.put("cmd", command));
        app.put("instances", work.instances());
        if (hasContainer()) {
            app.put("container", container());
        }
        if (work.onHostNetwork()) {
            app.put("networks", List.of(Map.of("mode", "host")));
            if (!work.ports().isEmpty()) {
                app.put(
                        "portDefinitions",
                        work.ports().stream().map(MesosWork::definition).toList());
            }
        }
        app.put("env", variables());
        if (work.isBalanced()) {
            app.put("labels", Map.of(BALANCED, "external"));
        }
        work.healthCheck().ifPresent(check -> app.put("healthChecks", List.of(healthCheck(check))));
        if (!work.constraints().isEmpty()) {
            app.put("constraints", constraints("IS"));
        }
        if (!work.uris().isEmpty()) {
            app.put("fetch", work.uris().stream().map(uri -> Map.of("uri", uri)).toList());
        }
        return app;
    }

    /** For {@link #jobPath}. Source: Chronos' documentation of its REST API, "Job configuration". */
    public Map<String, Object> job() {
        var job = resources();
        job.put("name", work.name().value());
        job.put("command", work.command().orElseThrow());
        job.put("shell", true);
        job.put("arguments", List.of());
        job.put("retries", work.retries());
        job.put("runAsUser", work.user());
        job.put("uris", work.uris());
        var variables = new ArrayList<Map<String, Object>>();
        variables().forEach((name, value) -> variables.add(Map.of("name", name, "value", value)));
        job.put("environmentVariables", variables);
        if (work.parents().isEmpty()) {
            job.put("schedule", work.schedule().orElse(ONCE));
        } else {
            job.put("parents", work.parents().stream().map(Name::value).toList());
        }
        if (!work.constraints().isEmpty()) {
            job.put("constraints", constraints("EQUALS"));
        }
        if (hasContainer()) {
            var container = new LinkedHashMap<String, Object>();
            container.put("type", type());
            work.image().ifPresent(image -> container.put("image", image));
            if (!work.inMesos()) {
                container.put("network", network());
                container.put("forcePullImage", work.pull());
            }
            volumes(container);
            job.put("container", container);
        }
        return job;
    }

    /** Where a job is posted to. */
    public String jobPath() {
        return work.parents().isEmpty() ? "v1/scheduler/iso8601" : "v1/scheduler/dependency";
    }

    private Map<String, Object> resources() {
        var resources = new LinkedHashMap<String, Object>();
        resources.put("cpus", new BigDecimal(work.cpus()));
        resources.put("mem", work.memory().mebibytes());
        resources.put("disk", work.disk().map(Size::mebibytes).orElse(0L));
        if (work.gpus() > 0) {
            resources.put("gpus", work.gpus());
        }
        return resources;
    }

    /** Without an image, only if it has GPU settings or volumes. */
    private boolean hasContainer() {
        return work.image().isPresent() || work.gpus() > 0 || !work.volumes().isEmpty();
    }

    private Map<String, Object> container() {
        var container = new LinkedHashMap<String, Object>();
        container.put("type", type());
        work.image().ifPresent(image -> container.put("docker", docker(image)));
        volumes(container);
        return container;
    }

    private Map<String, Object> docker(String image) {
        var docker = new LinkedHashMap<String, Object>();
        docker.put("image", image);
        if (work.pull() || !work.inMesos()) {
            docker.put("forcePullImage", work.pull());
        }
        if (!work.inMesos()) {
            docker.put("privileged", false);
            // The host's network is in the app's own networks, and Marathon refuses one in both.
            if (!work.onHostNetwork()) {
                docker.put("network", network());
                docker.put(
                        "portMappings",
                        work.ports().stream().map(MesosWork::mapping).toList());
            }
        }
        return docker;
    }

    private void volumes(Map<String, Object> container) {
        if (!work.volumes().isEmpty()) {
            container.put(
                    "volumes", work.volumes().stream().map(MesosWork::volume).toList());
        }
    }

    private static Map<String, Object> volume(Work.Volume volume) {
        return Map.of(
                "hostPath",
                volume.host(),
                "containerPath",
                volume.container(),
                "mode",
                volume.mode().toUpperCase(Locale.ROOT));
    }

    /** @param is how the framework calls the operator that compares with one value */
    private List<List<String>> constraints(String is) {
        return work.constraints().stream()
                .map(constraint -> Stream.concat(
                                Stream.of(
                                        constraint.attribute(),
                                        constraint.operator().equals("is")
                                                ? is
                                                : constraint
                                                        .operator()
                                                        .replace('-', '_')
                                                        .toUpperCase(Locale.ROOT)),
                                constraint.value().stream())
                        .toList())
                .toList();
    }

    /**
     * By Marathon itself, which reaches the ports of all tasks: Mesos' own checks need curl on the agents and a task that
     * listens on its loopback, too.
     */
    private static Map<String, Object> healthCheck(Work.HealthCheck check) {
        var json = new LinkedHashMap<String, Object>();
        check.command()
                .ifPresentOrElse(
                        command -> json.put("command", Map.of("value", command)),
                        () -> json.put("portIndex", check.port()));
        check.http().or(check::https).ifPresent(path -> json.put("path", path));
        json.put("protocol", protocol(check));
        json.put("gracePeriodSeconds", check.grace().duration().toSeconds());
        json.put("intervalSeconds", check.interval().duration().toSeconds());
        json.put("timeoutSeconds", check.timeout().duration().toSeconds());
        json.put("maxConsecutiveFailures", check.failures());
        return json;
    }

    private static String protocol(Work.HealthCheck check) {
        if (check.command().isPresent()) {
            return "COMMAND";
        }
        if (check.tcp()) {
            return "TCP";
        }
        return check.https().isPresent() ? "HTTPS" : "HTTP";
    }

    private String type() {
        return work.inMesos() ? "MESOS" : "DOCKER";
    }

    private String network() {
        return work.onHostNetwork() ? "HOST" : "BRIDGE";
    }

    private static Map<String, Object> mapping(Work.Port port) {
        var mapping = new LinkedHashMap<String, Object>();
        mapping.put("containerPort", port.container().orElseThrow());
        mapping.put("hostPort", 0);
        mapping.put("servicePort", port.service().orElse(0));
        mapping.put("protocol", "tcp");
        port.name().ifPresent(name -> mapping.put("name", name.value()));
        return mapping;
    }

    private static Map<String, Object> definition(Work.Port port) {
        var definition = new LinkedHashMap<String, Object>();
        definition.put("port", port.service().orElse(0));
        port.name().ifPresent(name -> definition.put("name", name.value()));
        return definition;
    }

    private Map<String, String> variables() {
        var variables = new TreeMap<String, String>();
        work.env().forEach((name, value) -> variables.put(name.value(), value));
        return variables;
    }
}
