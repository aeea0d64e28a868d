package io.deepsite.service.catalogue;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.service.access.Role;
import io.deepsite.site.Name;
import io.deepsite.site.Site;
import io.deepsite.site.load.LoadResult;
import io.deepsite.site.load.SiteLoader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A site.yaml that users write themselves. It decides on the site's own machines and on nothing else: the administrator
 * gives it the back-end and all that reaches further, from a file that is read anew by each call.
 */
public final class OwnSites {
    /** As messages call what was handed in. */
    public static final String FILE = "site.yaml";

    /** Characters; a site of many groups has a tenth of it. */
    private static final int LONGEST = 64 * 1024;

    private final Map<Name, OwnSiteSettings> projects;
    private final Path beside;
    private final SiteLoader loader;

    /**
     * @param projects in which somebody may hand one in
     * @param beside folder that the names of files begin at
     */
    public OwnSites(Map<Name, OwnSiteSettings> projects, Path beside, SiteLoader loader) {
        this.projects = Map.copyOf(projects);
        this.beside = beside;
        this.loader = loader;
    }

    /** Finds a fault of the administrator's files now, not with the first order. */
    public void check() {
        projects.keySet().forEach(this::given);
    }

    /** The least role that may hand one in; empty: nobody may. */
    public Optional<Role> role(Name project) {
        return Optional.ofNullable(projects.get(project)).map(OwnSiteSettings::role);
    }

    /** @throws Failure NOT_ALLOWED, if nobody may hand one in */
    public OwnSiteSettings settings(Name project) {
        var settings = projects.get(project);
        if (settings == null) {
            throw new Failure(Diagnostic.error(
                    Code.NOT_ALLOWED,
                    "Members of the project " + project + " do not hand in a site.yaml of their own.",
                    "Order a template of the catalogue, or ask the administrator for ownSites in service.yaml."));
        }
        return settings;
    }

    /** What the administrator adds to each of them. */
    public String base(Name project) {
        var file = beside.resolve(settings(project).base());
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new Failure(
                    Diagnostic.error(
                            Code.FILE_UNREADABLE,
                            file + " cannot be read: " + FileFault.words(e) + ".",
                            "It is the administrator's: ownSites.base in service.yaml names it."),
                    e);
        }
    }

    /** The smallest site of the administrator's keys. */
    private Site given(Name project) {
        var whole = base(project) + "\napiVersion: deepsite/v1\nsite: base\nmachines: {machine: {image: "
                + settings(project).images().getFirst() + "}}\n";
        return loader.load(beside.resolve(settings(project).base()).toString(), withSomebody(whole), Map.of())
                .orFail();
    }

    /**
     * The whole site.yaml: what was handed in, then what the administrator adds.
     *
     * @throws Failure with all its faults, each at its place
     */
    public String complete(Name project, String text, Map<String, String> parameters) {
        if (text.length() > LONGEST) {
            throw new Failure(Diagnostic.error(
                    Code.REQUEST,
                    "The site.yaml has more than " + LONGEST + " characters; it was not read.",
                    "Machines of one kind are one group with a count."));
        }
        var base = base(project);
        var granted = new HashSet<>(SiteLoader.topKeys(base));
        var keys = SiteLoader.topKeys(text);
        var alone = loader.loadConfined(FILE, text, parameters, Set.of());
        var faults = new ArrayList<Diagnostic>();
        keys.stream()
                .filter(granted::contains)
                .sorted()
                .forEach(key -> faults.add(Diagnostic.error(
                        Code.ADMINISTRATORS_KEY,
                        alone.where(key),
                        "The administrator gives every site of this project its " + key + ".",
                        "Remove the key.")));
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
        if (keys.isEmpty()) {
            throw new Failure(
                    alone.diagnostics().stream().anyMatch(fault -> fault.code() != Code.MISSING_KEY)
                            ? alone.diagnostics()
                            : List.of(Diagnostic.error(
                                    Code.REQUEST,
                                    "The site.yaml does not have its keys on lines of their own.",
                                    "Write apiVersion, site and machines at the left, without {}.")));
        }
        var whole = text + (text.endsWith("\n") ? "" : "\n") + "\n# Of the administrator.\n" + base;
        if (takesAccount(whole)) {
            granted.add("users");
        }
        var read = loader.loadConfined(FILE, withSomebody(whole), parameters, granted);
        if (!read.orFail().provider().equals(given(project).provider())) {
            // What was handed in would have changed the meaning of what follows it.
            throw new Failure(Diagnostic.error(
                    Code.ADMINISTRATORS_KEY, "The site would not have the administrator's provider.", "Correct it."));
        }
        check(project, read);
        return whole;
    }

    /**
     * What holds for the values, whatever parameters make of them.
     *
     * @throws Failure ADMINISTRATORS_KEY, NOT_ALLOWED
     */
    public void check(Name project, LoadResult read) {
        var settings = settings(project);
        var faults = new ArrayList<Diagnostic>();
        read.orFail().machines().forEach((name, group) -> {
            group.image()
                    .filter(image -> !settings.images().contains(image))
                    .ifPresent(image -> faults.add(Diagnostic.error(
                            Code.ADMINISTRATORS_KEY,
                            read.where("machines." + name + ".image"),
                            image + " is none of the images that sites of this project may have.",
                            "Take "
                                    + settings.images().stream()
                                            .map(Object::toString)
                                            .collect(Collectors.joining(", "))
                                    + ".")));
            group.disk()
                    .filter(disk -> disk.bytes() > settings.disk().bytes())
                    .ifPresent(disk -> faults.add(Diagnostic.error(
                            Code.ADMINISTRATORS_KEY,
                            read.where("machines." + name + ".disk"),
                            "A disk of " + disk + " is larger than sites of this project may have.",
                            "Take " + settings.disk() + " at most.")));
        });
        if (!faults.isEmpty()) {
            throw new Failure(faults);
        }
    }

    /** Whether who hands in this whole site.yaml gets an account on it: not if it has users of its own. */
    public static boolean takesAccount(String whole) {
        return !SiteLoader.topKeys(whole).contains("users");
    }

    /** As it will be: certificates are for users, and a site without any is told so. */
    public static String withSomebody(String whole) {
        return takesAccount(whole) ? OrderedYaml.withUser(whole, Catalogue.SAMPLE_ACCOUNT) : whole;
    }
}
