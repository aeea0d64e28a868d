package io.deepsite.tosca;

import io.deepsite.diag.Failure;
import io.deepsite.tosca.ImportedSite.Left;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A folder of templates, with those in folders below it. */
public record TemplateFolder(Path folder) {

    /**
     * One template.
     *
     * @param file below the folder
     * @param made empty if it cannot be read
     * @param why the first thing that the site lacks, or why there is none
     */
    public record Report(String file, Optional<ImportedSite> made, String why) {}

    /** Every file that has a topology, laid over its parents where it has some; in the order of names. */
    public List<Report> reports(ToscaImport tosca) {
        try (var files = Files.walk(folder)) {
            return files.filter(file -> file.toString().matches(".*\\.ya?ml") && Files.isRegularFile(file))
                    .sorted()
                    .filter(TemplateFolder::isTemplate)
                    .map(file -> report(file, tosca))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Not a file of types, nor one of another tool. */
    private static boolean isTemplate(Path file) {
        try {
            return Files.readString(file).contains("topology_template:");
        } catch (IOException e) {
            return false;
        }
    }

    private Report report(Path file, ToscaImport tosca) {
        var name = folder.relativize(file).toString();
        try {
            var made = tosca.run(withParents(file), Map.of());
            return new Report(
                    name,
                    Optional.of(made),
                    made.text().isEmpty()
                            ? "no machine"
                            : made.left().stream()
                                    .filter(Left::lost)
                                    .findFirst()
                                    .map(Left::what)
                                    .orElse(""));
        } catch (Failure e) {
            return new Report(name, Optional.empty(), e.diagnostics().getFirst().why());
        }
    }

    /** The lowest first. A parent that has itself for a parent ends the search. */
    private static List<Path> withParents(Path file) {
        var files = new ArrayList<Path>();
        Optional<Path> next = Optional.of(file);
        while (next.isPresent() && !files.contains(next.get())) {
            files.addFirst(next.get());
            next = Template.read(List.of(next.get()))
                    .parent()
                    .map(files.getFirst()::resolveSibling)
                    .filter(Files::isRegularFile);
        }
        return files;
    }
}
