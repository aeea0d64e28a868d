package io.deepsite.site.load;

import io.deepsite.diag.Code;
import io.deepsite.diag.Diagnostic;
import io.deepsite.diag.Failure;
import io.deepsite.diag.FileFault;
import io.deepsite.site.Name;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/**
 * Changes one value in the text of a site.yaml; every other byte stays, comments included. The caller loads the new text
 * before writing it.
 */
public final class ScalarEdit {
    private final SourceText source;
    private final String path;

    private ScalarEdit(SourceText source, String path) {
        this.source = source;
        this.path = path;
    }

    /**
     * The text with {@code machines.<group>.count} as given; the key is added where there is none, which also renames the
     * machine of the group.
     *
     * @param file the name that diagnostics show
     * @throws Failure when the text cannot be read, has no such group, or takes the value from elsewhere
     */
    public static String count(String file, String text, Name group, int count) {
        var source = new SourceText(file, text);
        var findings = new Findings();
        var root = new YamlReader(findings).root(source);
        if (root == null) {
            throw new Failure(findings.sorted(source.whole()));
        }
        var places = new Places(source);
        var keys = new Keys(source, places, findings, Keys.SITE, Keys.Homes.NONE);
        if (root instanceof MappingNode site && keys.of(site, "").get("machines") instanceof MappingNode machines) {
            var groups = keys.of(machines, "machines");
            if (groups.get(group.value()) instanceof MappingNode found) {
                return new ScalarEdit(source, "machines." + group).count(found, places, count);
            }
            throw new Failure(Diagnostic.error(
                    Code.NO_SUCH_GROUP,
                    places.ofKey("machines"),
                    "There is no group " + group + " under machines, only " + Wording.allOf(groups.keySet()) + ".",
                    Wording.didYouMean(group.value(), groups.keySet(), "Name one of them.")));
        }
        throw new Failure(Diagnostic.error(Code.MISSING_KEY, source.whole(), "It has no map under machines.", ""));
    }

    private String count(MappingNode group, Places places, int count) {
        if (group.getStartMark().getIndex() < places.keyStart(path)) {
            throw refused(
                    Code.YAML_FEATURE,
                    group,
                    "The group repeats another by an alias, and a change there changes both.");
        }
        for (var tuple : group.getValue()) {
            if (tuple.getKeyNode() instanceof ScalarNode key && key.getValue().equals("count")) {
                return replaced(key, tuple.getValueNode(), count);
            }
        }
        return added(group, count);
    }

    private String replaced(ScalarNode key, Node value, int count) {
        if (value.getStartMark().getIndex() < key.getEndMark().getIndex()) {
            throw refused(Code.YAML_FEATURE, key, "The count repeats another value by an alias.");
        }
        if (value instanceof ScalarNode scalar && !scalar.getValue().contains("${")) {
            return before(value.getStartMark()) + count + source.text().substring(offset(value.getEndMark()));
        }
        throw refused(
                Code.PARTIAL_PARAMETER,
                value,
                "The count is no number in the file; where it is a parameter, set that with --set at apply.");
    }

    private String added(MappingNode group, int count) {
        if (group.getValue().isEmpty()) {
            return before(group.getStartMark()) + "{count: " + count + "}"
                    + source.text().substring(offset(group.getEndMark()));
        }
        var first = group.getValue().getFirst().getKeyNode().getStartMark();
        String rest = source.text().substring(offset(first));
        if (group.getFlowStyle() == FlowStyle.FLOW) {
            return before(first) + "count: " + count + ", " + rest;
        }
        String lineEnd = source.text().contains("\r\n") ? "\r\n" : "\n";
        return before(first) + "count: " + count + lineEnd + " ".repeat(first.getColumn()) + rest;
    }

    private String before(Mark mark) {
        return source.text().substring(0, offset(mark));
    }

    private int offset(Mark mark) {
        return source.text().offsetByCodePoints(0, mark.getIndex());
    }

    private Failure refused(Code code, Node node, String why) {
        return new Failure(Diagnostic.error(
                code, source.at(node, path + ".count"), why, "Write the number into the file, then try again."));
    }

    /**
     * Puts the new text in the file's place in one step, with the same rights.
     *
     * @throws Failure when it cannot be written; the file is as before then
     */
    public static void write(Path file, String text) {
        try {
            var target = file.toRealPath();
            var fresh = Files.createTempFile(target.getParent(), ".site", ".yaml");
            try {
                Files.writeString(fresh, text);
                Files.setPosixFilePermissions(fresh, Files.getPosixFilePermissions(target));
                Files.move(fresh, target, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(fresh);
            }
        } catch (IOException e) {
            throw new Failure(
                    FileFault.full(file, e, "It is as before.")
                            .orElseGet(() -> Diagnostic.error(
                                    Code.FILE_UNREADABLE,
                                    new SourceText(file.toString(), "").whole(),
                                    "Writing it failed: " + e.getMessage() + ". It is as before.",
                                    "Check the rights of its folder.")),
                    e);
        }
    }
}
