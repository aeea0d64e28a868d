package io.deepsite.cluster;

import io.deepsite.provider.Machine;
import io.deepsite.site.DriverRepository;
import io.deepsite.site.MachineGroup;
import io.deepsite.site.Mirrors;
import io.deepsite.site.NvidiaDriver;
import io.deepsite.site.Site;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * NVIDIA's driver on machines whose group requests one, for any cluster kind: the packages, then the running driver.
 */
final class NvidiaStages {
    static final String PACKAGES = "site.nvidia_packages";
    private static final String NVIDIA = "nvidia";
    static final String DRIVER = "site.nvidia_driver";

    private NvidiaStages() {}

    /** The stages, each after the driver stage of its hosts. */
    static List<Stage> first(Site site, List<Machine> machines, List<Stage> stages) {
        var packages = variables(site, machines, (driver, _) -> packages(site, driver));
        if (packages.isEmpty()) {
            return stages;
        }
        var drivers = variables(
                site,
                machines,
                (driver, machine) -> Map.of(
                        "nvidia_driver_branch",
                        driver.branch(),
                        "nvidia_driver_minimum",
                        driver.minimum().orElse(""),
                        "nvidia_driver_version",
                        driver.version().orElse(""),
                        "nvidia_driver_modules",
                        driver.modules(),
                        "nvidia_driver_cards",
                        cards(machine)));
        var all = new ArrayList<Stage>();
        all.add(new Stage(PACKAGES, "nvidia_packages", packages, 0, List.of(), false));
        all.add(new Stage(DRIVER, "nvidia_driver", drivers, 0, List.of(PACKAGES), false));
        stages.forEach(stage ->
                all.add(stage.hosts().stream().anyMatch(packages::containsKey) ? stage.needing(DRIVER) : stage));
        return all;
    }

    private static Map<String, Object> packages(Site site, NvidiaDriver driver) {
        return Map.of(
                "nvidia_packages_branch",
                driver.branch(),
                "nvidia_packages_names",
                driver.packages(),
                "nvidia_packages_version",
                driver.version().orElse(""),
                "nvidia_packages_repository",
                driver.repository()
                        .map(repository -> repository(site.mirrors(), repository))
                        .orElseGet(Map::of));
    }

    private static Map<String, Object> repository(Mirrors mirrors, DriverRepository repository) {
        return Map.of(
                "uri",
                DriverRepository.at(repository.uri(), mirrors),
                "suite",
                repository.suite().orElse("/"),
                "components",
                repository.component().stream().toList(),
                "key",
                repository.key().map(LocalFile::read).orElse(""),
                "key_from",
                repository
                        .keyFrom()
                        .map(address -> DriverRepository.at(address, mirrors))
                        .orElse(""),
                "fingerprint",
                repository.fingerprint().orElse(""));
    }

    private static int cards(Machine machine) {
        return (int) machine.gpus().stream()
                .filter(gpu -> gpu.vendor().equals(NVIDIA))
                .count();
    }

    private static Map<String, Map<String, Object>> variables(
            Site site, List<Machine> machines, BiFunction<NvidiaDriver, Machine, Map<String, Object>> variables) {
        var byHost = new LinkedHashMap<String, Map<String, Object>>();
        machines.forEach(machine -> Optional.ofNullable(site.machines().get(machine.group()))
                .flatMap(MachineGroup::driver)
                .ifPresent(driver -> byHost.put(machine.name(), variables.apply(driver, machine))));
        return byHost;
    }
}
