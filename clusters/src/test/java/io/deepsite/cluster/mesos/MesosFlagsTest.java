package io.deepsite.cluster.mesos;

import static org.assertj.core.api.Assertions.assertThat;

import io.deepsite.provider.Machine;
import io.deepsite.site.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * Programs document every flag and environment variable that a template can emit: Mesos silently accepts an unknown
 * variable.
 */
class MesosFlagsTest {
    private static final Path TABLE = Path.of("src/test/resources/golden/mesos/flags.yaml");
    private static final String CHRONOS = "chronos.scheduler.Main";
    private static final Pattern VARIABLE = Pattern.compile("^([A-Za-z0-9_]+)=", Pattern.MULTILINE);
    private static final Pattern OPTION = Pattern.compile("\\s--([a-z0-9_-]+)");
    private static final Pattern TEMPLATE_VARIABLE = Pattern.compile("^([A-Z_]+)=", Pattern.MULTILINE);

    private final Map<String, List<String>> table = table();

    @Test
    void everyFlagOfEveryKindOfMachineIsDocumented() {
        var seen = new HashSet<String>();
        for (var keys : List.of("", "docker: false\n", "gpu: {offer: [{group: gpu, count: 1}]}\n")) {
            var site = MesosSite.site(3, MesosSite.FRAMEWORKS + keys);
            var machines = MesosSite.machines(3);
            for (var host : List.of("master-1", "agent-1", "gpu-1")) {
                assertThat(faults(site, machines, host, seen)).as(host).isEmpty();
            }
        }
        for (var site : List.of(
                MesosSourcesTest.fromImages(),
                MesosSourcesTest.fromPackages(),
                MesosSourcesTest.withChronosInAContainer())) {
            for (var host : List.of("master-1", "agent-1")) {
                assertThat(faults(site, MesosSite.machines(3), host, seen))
                        .as(host)
                        .isEmpty();
            }
        }

        // Otherwise a flag that no machine here gets would be unchecked.
        assertThat(seen).containsAll(inTemplates());
    }

    @Test
    void aMisspeltFlagIsFound() {
        var seen = new HashSet<String>();

        assertThat(variables("mesos-agent", "MESOS_", "MESOS_ISOLATOIN=gpu/nvidia\n", seen))
                .containsExactly("mesos-agent has no flag isolatoin");
        assertThat(variables("mesos-agent", "MESOS_", "MESOS_ZK=zk://a/mesos\n", seen))
                .as("the seed's, which is one of masters")
                .containsExactly("mesos-agent has no flag zk");
        assertThat(options("chronos", "java Main --zk-hosts a:2181", seen))
                .containsExactly("chronos has no flag zk-hosts");
    }

    private List<String> faults(Site site, List<Machine> machines, String host, Set<String> seen) {
        var faults = new ArrayList<String>();
        MesosFiles.on(site, machines, host).forEach((path, text) -> {
            switch (path) {
                case "/etc/mesos/master.env" -> faults.addAll(variables("mesos-master", "MESOS_", text, seen));
                case "/etc/mesos/agent.env" -> faults.addAll(variables("mesos-agent", "MESOS_", text, seen));
                case "/etc/mesos/marathon.env" -> faults.addAll(variables("marathon", "MARATHON_", text, seen));
                case "/etc/mesos/chronos.env" -> faults.addAll(variables("chronos", "CHRONOS_", text, seen));
                // In a container its only options are variables; Docker's own options come first.
                case "/etc/systemd/system/chronos.service" -> {
                    if (text.contains(CHRONOS)) {
                        faults.addAll(options("chronos", text.substring(text.indexOf(CHRONOS)), seen));
                    }
                }
                default -> {}
            }
        });
        return faults;
    }

    private List<String> variables(String program, String beginning, String text, Set<String> seen) {
        var faults = new ArrayList<String>();
        VARIABLE.matcher(text).results().map(match -> match.group(1)).forEach(name -> {
            seen.add(name);
            if (table.getOrDefault("environment", List.of()).contains(name)) {
                return;
            }
            var flag = name.startsWith(beginning)
                    ? name.substring(beginning.length()).toLowerCase(Locale.ROOT)
                    : name;
            if (!isFlag(program, flag)) {
                faults.add(program + " has no flag " + flag);
            }
        });
        return faults;
    }

    private List<String> options(String program, String text, Set<String> seen) {
        return OPTION.matcher(text)
                .results()
                .map(match -> match.group(1))
                .filter(flag -> {
                    seen.add(flag);
                    return !isFlag(program, flag);
                })
                .map(flag -> program + " has no flag " + flag)
                .toList();
    }

    private boolean isFlag(String program, String flag) {
        return table.getOrDefault(program, List.of()).contains(flag)
                || (program.startsWith("mesos-")
                        && table.getOrDefault("both", List.of()).contains(flag));
    }

    private static Set<String> inTemplates() {
        var found = new HashSet<String>();
        for (var template : List.of(
                "mesos_master/etc/mesos/master.env",
                "mesos_agent/etc/mesos/agent.env",
                "marathon/etc/mesos/marathon.env",
                "chronos/etc/mesos/chronos.env")) {
            TEMPLATE_VARIABLE
                    .matcher(read(Path.of("../templates", template + ".j2")))
                    .results()
                    .forEach(match -> found.add(match.group(1)));
        }
        return found;
    }

    private static Map<String, List<String>> table() {
        return new Yaml(new SafeConstructor(new LoaderOptions())).load(read(TABLE));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }
}
