package io.deepsite.operations;

import io.deepsite.contract.Digests;
import io.deepsite.contract.Item;
import io.deepsite.contract.Item.Phase;
import io.deepsite.plan.Desired;
import io.deepsite.provider.Machine;
import io.deepsite.render.ContractJson;
import io.deepsite.render.DeepsiteHome;
import io.deepsite.site.Name;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a baked image holds beside its operating system: the packages that the roles of a machine group bring. Files, users
 * and services belong to one site, so the roles make them on each machine.
 *
 * @param repositories that the packages come from, with their keys
 * @param sources digests of the files that name other archives than the image does
 * @param paths of secret files of the roles: a package may make one at its installation
 * @param units services of the roles, which start them once they are configured
 */
record ImageContents(
        List<Item.Repository> repositories,
        SortedSet<String> packages,
        SortedSet<String> sources,
        SortedSet<String> paths,
        SortedSet<String> units) {
    private static final String ROLE = "image_packages";
    private static final String SOURCES = "/etc/apt/sources.list.d/";

    /** Of all machines of a group. */
    static ImageContents of(Desired desired, Name group) {
        var machines = desired.design().machines().stream()
                .filter(machine -> machine.group().equals(group))
                .map(Machine::name)
                .collect(Collectors.toSet());
        var collected = new Collected();
        desired.stages()
                .forEach(stage -> stage.hosts().stream()
                        .filter(machines::contains)
                        .forEach(host -> collected.add(
                                host, desired.contract(stage, host).contract().items())));
        return collected.contents();
    }

    boolean isEmpty() {
        return packages.isEmpty();
    }

    /** Of all that decides what is in the image and what is not. */
    String digest(DeepsiteHome home) {
        return Digests.sha256(ContractJson.write(List.of(
                repositories.stream().map(Item.Repository::text).toList(),
                packages,
                sources,
                paths,
                units,
                Digests.sha256(MachineSeal.SCRIPT),
                home.digest(home.role(ROLE)).orElse(""))));
    }

    /** The variables of the role that installs them. */
    Map<String, Object> variables() {
        return Map.of(
                "image_packages_names",
                List.copyOf(packages),
                "image_packages_repositories",
                repositories.stream().map(ImageContents::variables).toList());
    }

    private static Map<String, Object> variables(Item.Repository repository) {
        return Map.of(
                "name", repository.name(),
                "uris", repository.uris(),
                "suites", repository.suites(),
                "components", repository.components(),
                "signed_by", repository.signedBy().orElseThrow());
    }

    static String role() {
        return ROLE;
    }

    private static final class Collected {
        private final Map<String, Item.Repository> repositories = new LinkedHashMap<>();
        private final SortedSet<String> packages = new TreeSet<>();
        private final SortedSet<String> absent = new TreeSet<>();
        private final SortedSet<String> sources = new TreeSet<>();
        private final SortedSet<String> paths = new TreeSet<>();
        private final SortedSet<String> units = new TreeSet<>();
        /** Hosts with a repository that only a role can add: later packages may come from it. */
        private final Set<String> beyond = new TreeSet<>();

        void add(String host, List<Item> items) {
            for (var item : items) {
                switch (item) {
                    case Item.Repository repository
                    when isSelfContained(repository) -> repositories.put(repository.name(), repository);
                    case Item.Repository _ -> beyond.add(host);
                    case Item.DebianPackage one when !one.present() -> absent.add(one.name());
                    case Item.DebianPackage one
                    when one.phase() == Phase.BEFORE && !beyond.contains(host) -> packages.add(one.name());
                    case Item.File file when file.secret() -> paths.add(file.path());
                    case Item.File file when file.path().startsWith(SOURCES) -> sources.add(file.body());
                    case Item.Service service -> units.add(service.unit());
                    default -> {}
                }
            }
        }

        /** Without a file or an action of the role that brings its key. */
        private static boolean isSelfContained(Item.Repository repository) {
            return repository.phase() == Phase.BEFORE
                    && repository
                            .signedBy()
                            .filter(key -> key.strip().contains("\n"))
                            .isPresent();
        }

        ImageContents contents() {
            packages.removeAll(absent);
            return new ImageContents(new ArrayList<>(repositories.values()), packages, sources, paths, units);
        }
    }
}
