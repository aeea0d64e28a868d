package io.deepsite.cluster.mesos;

import io.deepsite.cluster.mesos.WorkLoader.Framework;
import io.deepsite.diag.Code;
import io.deepsite.site.load.Findings;
import io.deepsite.site.load.Places;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/** Checks the relations between the keys of the work. */
record WorkChecks(Places places, Findings findings, Work work) {
    /** The operators that jobs have, too: Chronos ignores any other and reports nothing. */
    private static final Set<String> OF_JOBS = Set.of("is", "like", "unlike");

    void run(Framework framework) {
        gpus();
        networks();
        volumes();
        for (int i = 0; i < work.constraints().size(); i++) {
            constraint("constraints[" + i + "]", work.constraints().get(i), framework);
        }
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

    private void volumes() {
        var seen = new HashSet<String>();
        for (int i = 0; i < work.volumes().size(); i++) {
            var path = work.volumes().get(i).container();
            if (!seen.add(path)) {
                findings.faultOnce(
                        Code.DUPLICATE_ENTRY,
                        places.of("volumes[" + i + "].container"),
                        "Another volume has the path " + path + " already.",
                        "Choose another path in the container.");
            }
        }
    }

    private void constraint(String place, Work.Constraint constraint, Framework framework) {
        var operator = constraint.operator();
        if (framework == Framework.CHRONOS && !OF_JOBS.contains(operator)) {
            findings.faultOnce(
                    Code.NOT_ACCEPTED,
                    places.of(place + ".operator"),
                    "A job is one task: Chronos knows only is, like and unlike, and would ignore " + operator + ".",
                    "Write one of these, or remove the constraint.");
            return;
        }
        var value = constraint.value();
        switch (operator) {
            case "unique" -> {
                if (value.isPresent()) {
                    findings.faultOnce(
                            Code.NO_EFFECT,
                            places.ofKey(place + ".value"),
                            "With unique each task has another value, whatever these are.",
                            "Remove the key.");
                }
            }
            case "is", "like", "unlike", "max-per" -> {
                if (value.isEmpty()) {
                    findings.faultOnce(
                            Code.MISSING_KEY,
                            places.of(place),
                            "The operator " + operator + " compares with a value.",
                            "Add value:.");
                }
            }
            default -> {}
        }
        value.ifPresent(given -> value(place + ".value", operator, given, framework));
    }

    private void value(String place, String operator, String value, Framework framework) {
        switch (operator) {
            case "like", "unlike" -> {
                try {
                    Pattern.compile(value);
                } catch (PatternSyntaxException e) {
                    findings.faultOnce(
                            Code.NOT_ACCEPTED,
                            places.of(place),
                            "It is no regular expression: " + e.getDescription() + ".",
                            "Write one of Java's, which must match the whole value, such as rack-[1-3].");
                }
            }
            case "group-by", "max-per" -> {
                if (!value.matches("[0-9]{1,9}")) {
                    findings.faultOnce(
                            Code.NOT_INTEGER,
                            places.of(place),
                            operator.equals("max-per")
                                    ? "With max-per it is how many tasks may have the same value."
                                    : "With group-by it is how many values there are.",
                            "Write a whole number.");
                }
            }
            case "is" -> {
                if (framework == Framework.MARATHON && !value.matches("[A-Za-z0-9_/.-]*")) {
                    findings.faultOnce(
                            Code.NOT_ACCEPTED,
                            places.of(place),
                            "Marathon compares only texts of letters, digits, _, /, . and - with is.",
                            "Write operator: like with a regular expression.");
                }
            }
            default -> {}
        }
    }

    private void healthCheck(Work.HealthCheck check) {
        if (check.command().isPresent()) {
            return;
        }
        if (work.ports().isEmpty()) {
            findings.faultOnce(
                    Code.MISSING_KEY,
                    places.of("healthCheck"),
                    "It connects to a port of the service, which has none.",
                    "Add ports: with an entry, or write command: instead.");
        } else if (check.port() >= work.ports().size()) {
            findings.faultOnce(
                    Code.OUT_OF_RANGE,
                    places.of("healthCheck.port"),
                    "The service has "
                            + (work.ports().size() == 1
                                    ? "one port, which is 0."
                                    : work.ports().size() + " ports, which are counted from 0."),
                    "Write the number of one of them, or add it to ports.");
        }
    }

    private void parents() {
        for (int i = 0; i < work.parents().size(); i++) {
            if (work.parents().get(i).equals(work.name())) {
                findings.faultOnce(
                        Code.NOT_TOGETHER,
                        places.of("parents[" + i + "]"),
                        "It would wait for itself, and Chronos would end over it each time it starts.",
                        "Name another job.");
            }
        }
    }

    private void mountsOfJobs() {
        if (!work.volumes().isEmpty() && work.image().isEmpty()) {
            findings.faultOnce(
                    Code.MISSING_KEY,
                    places.of("volumes"),
                    "Chronos ignores the volumes of a job without an image.",
                    "Add image:, or remove volumes: without one it sees the agent's files as they are.");
        }
    }

    private void marathon() {
        noEffect("schedule", "Marathon keeps services running; only jobs have a schedule.");
        noEffect("retries", "Marathon always restarts a task that ended.");
        noEffect("user", "Services run as Marathon's own user.");
        noEffect("parents", "Only a job starts after others; services run side by side.");
        work.healthCheck().ifPresent(this::healthCheck);
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
        noEffect("healthCheck", "A job's exit status says whether it worked.");
        parents();
        mountsOfJobs();
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
