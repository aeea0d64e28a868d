package io.deepsite.cluster.mesos;

import io.deepsite.site.Size;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Work in the form of Marathon and Chronos: in Docker containers with ports of their own, or in Mesos containers on the
 * host's network.
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
        if (!work.uris().isEmpty()) {
            app.put("fetch", work.uris().stream().map(uri -> Map.of("uri", uri)).toList());
        }
        return app;
    }

    /** For {@code POST /v1/scheduler/iso8601}. Source: Chronos' documentation of its REST API, "Job configuration". */
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
        job.put("schedule", schedule());
        if (hasContainer()) {
            var container = new LinkedHashMap<String, Object>();
            container.put("type", type());
            work.image().ifPresent(image -> container.put("image", image));
            if (!work.inMesos()) {
                container.put("network", network());
                container.put("forcePullImage", work.pull());
            }
            job.put("container", container);
        }
        return job;
    }

    public String schedule() {
        return work.schedule().orElse(ONCE);
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

    /** Without an image, only if it has GPU settings. */
    private boolean hasContainer() {
        return work.image().isPresent() || work.gpus() > 0;
    }

    private Map<String, Object> container() {
        if (work.image().isEmpty()) {
            return Map.of("type", type());
        }
        var docker = new LinkedHashMap<String, Object>();
        docker.put("image", work.image().get());
        if (work.pull() || !work.inMesos()) {
            docker.put("forcePullImage", work.pull());
        }
        if (!work.inMesos()) {
            docker.put("network", network());
            docker.put("privileged", false);
            if (!work.onHostNetwork()) {
                docker.put(
                        "portMappings",
                        work.ports().stream().map(MesosWork::mapping).toList());
            }
        }
        return Map.of("type", type(), "docker", docker);
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
