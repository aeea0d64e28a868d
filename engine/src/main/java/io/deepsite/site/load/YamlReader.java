package io.deepsite.site.load;

import io.deepsite.diag.Code;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.composer.Composer;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;
import org.yaml.snakeyaml.resolver.Resolver;

/** From a file to nodes with marks. Whatever is wrong here stops the reading: what follows would only be noise. */
final class YamlReader {
    private static final int LARGEST = 3 * 1024 * 1024;
    private static final int DEEPEST = 30;
    private static final int MOST_ALIASES = 50;
    /** Keys and values, those that aliases repeat counted each time. */
    private static final int MOST_NODES = 500_000;

    private final Findings findings;

    YamlReader(Findings findings) {
        this.findings = findings;
    }

    /** The file's text without byte order mark; empty when there is none to read. */
    Optional<String> text(Path file) {
        String name = file.toString();
        var where = new SourceText(name, "").whole();
        try {
            if (!Files.exists(file)) {
                findings.fault(
                        Code.FILE_UNREADABLE,
                        where,
                        "There is no file " + name + ".",
                        "Name another file, or write one with `deepsite init`.");
                return Optional.empty();
            }
            if (!Files.isRegularFile(file)) {
                findings.fault(
                        Code.FILE_UNREADABLE,
                        where,
                        name + " is not a file" + (Files.isDirectory(file) ? " but a folder." : "."),
                        "Name the site.yaml itself; the state is kept beside it.");
                return Optional.empty();
            }
            byte[] bytes;
            try (var in = Files.newInputStream(file)) {
                bytes = in.readNBytes(LARGEST + 1);
            }
            if (bytes.length > LARGEST) {
                findings.fault(
                        Code.FILE_TOO_LARGE,
                        where,
                        "It has more than 3 MiB. No site needs that much; it was not read.",
                        "Machines of one kind are one group with a count.");
                return Optional.empty();
            }
            return decoded(name, bytes);
        } catch (IOException e) {
            findings.fault(
                    Code.FILE_UNREADABLE,
                    where,
                    "Reading " + name + " failed: " + reason(e) + ".",
                    "Check its rights.");
            return Optional.empty();
        }
    }

    private static String reason(IOException e) {
        return e instanceof AccessDeniedException ? "permission denied" : String.valueOf(e.getMessage());
    }

    private Optional<String> decoded(String name, byte[] bytes) {
        var in = ByteBuffer.wrap(bytes);
        try {
            String text = StandardCharsets.UTF_8.newDecoder().decode(in).toString();
            return Optional.of(text.startsWith("\uFEFF") ? text.substring(1) : text);
        } catch (CharacterCodingException e) {
            String before = new String(bytes, 0, in.position(), StandardCharsets.UTF_8);
            int line = (int) before.chars().filter(c -> c == '\n').count() + 1;
            int column = before.codePointCount(before.lastIndexOf('\n') + 1, before.length()) + 1;
            findings.fault(
                    Code.NOT_UTF8,
                    new SourceText(name, before).at(line, column, 1, ""),
                    "The bytes from here on are no UTF-8.",
                    "Save the file as UTF-8.");
            return Optional.empty();
        }
    }

    /** The document's root; null with a fault reported when there is none. */
    @Nullable
    Node root(SourceText source) {
        if (holdsControl(source)) {
            return null;
        }
        var options = new LoaderOptions();
        options.setCodePointLimit(LARGEST);
        options.setMaxAliasesForCollections(MOST_ALIASES);
        options.setNestingDepthLimit(DEEPEST);
        // Nothing is ever constructed from a tag; Keys refuses them with their place.
        options.setTagInspector(tag -> true);
        try {
            var parser = new ParserImpl(new StreamReader(source.text()), options);
            var composer = new Composer(parser, new Resolver(), options);
            var root = composer.checkNode() ? composer.getNode() : null;
            if (root == null) {
                findings.fault(
                        Code.EMPTY_FILE,
                        source.whole(),
                        "It is empty, or holds comments only.",
                        "`deepsite init` writes a site.yaml to start from.");
                return null;
            }
            if (composer.checkNode()) {
                findings.fault(
                        Code.SEVERAL_DOCUMENTS,
                        source.at(composer.getNode(), ""),
                        "A second document begins here; a file describes one site.",
                        "Remove the line with --- before it, or move it to a file of its own.");
                return null;
            }
            return isTree(root, source) ? root : null;
        } catch (MarkedYAMLException e) {
            syntax(source, e);
        } catch (YAMLException e) {
            findings.fault(
                    Code.TOO_COMPLEX,
                    source.whole(),
                    "Reading stopped for safety: collections nest more than " + DEEPEST + " deep, or aliases (*name)"
                            + " repeat collections more than " + MOST_ALIASES + " times.",
                    "Write it flatter. Machines of one kind are one group with a count.");
        }
        return null;
    }

    /** Whoever walks the nodes comes to an end, and soon: aliases neither lead back nor multiply without measure. */
    private boolean isTree(Node root, SourceText source) {
        var size = new NodeCount();
        long nodes = size.of(root);
        var circle = size.circle();
        if (circle.isPresent()) {
            findings.fault(
                    Code.TOO_COMPLEX,
                    source.at(circle.get(), ""),
                    "What begins here holds itself: the alias *"
                            + Wording.safe(circle.get().getAnchor()) + " contains itself.",
                    "Write it out, without the alias.");
            return false;
        }
        if (nodes > MOST_NODES) {
            findings.fault(
                    Code.TOO_COMPLEX,
                    source.whole(),
                    "It has more than " + MOST_NODES
                            + " keys and values, those that aliases (*name) repeat counted each"
                            + " time. No site needs that many.",
                    "Machines of one kind are one group with a count.");
            return false;
        }
        return true;
    }

    private void syntax(SourceText source, MarkedYAMLException e) {
        var mark = e.getProblemMark() == null ? e.getContextMark() : e.getProblemMark();
        String problem = e.getProblem() == null ? "" : e.getProblem();
        var where = mark == null ? source.whole() : source.at(mark.getLine() + 1, mark.getColumn() + 1, 1, "");
        var since = e.getContextMark();
        String context = since == null || mark == null || since.getLine() == mark.getLine()
                ? ""
                : " What it belongs to began in line " + (since.getLine() + 1) + ".";
        if (problem.contains("(TAB)")) {
            findings.fault(
                    Code.SYNTAX,
                    where,
                    "YAML is indented with spaces, and this line has a tab.",
                    "Indent with two spaces per level.");
        } else if (problem.startsWith("mapping values are not allowed")) {
            findings.fault(
                    Code.SYNTAX,
                    where,
                    "A colon is where no key can be: the line above may be indented differently, or a text with a"
                            + " colon needs quotes." + context,
                    "Indent the keys of one level alike, or put the text in \"quotes\".");
        } else if (since != null && (problem.contains("<stream end>") || problem.contains("end of stream"))) {
            findings.fault(
                    Code.SYNTAX,
                    source.at(since.getLine() + 1, since.getColumn() + 1, 1, ""),
                    "What begins here is not closed before the file ends.",
                    "Add the missing bracket or quote.");
        } else if (problem.startsWith("found undefined alias")) {
            findings.fault(
                    Code.SYNTAX,
                    where,
                    "The alias names no anchor: " + problem.substring("found ".length()) + ".",
                    "Put a text that begins with * in \"quotes\".");
        } else {
            findings.fault(
                    Code.SYNTAX,
                    where,
                    Wording.capital(Wording.sentence(problem.isEmpty() ? "it cannot be read" : problem)) + context,
                    "");
        }
    }

    /** Characters that are no part of any site.yaml are refused before anything is parsed or shown. */
    private boolean holdsControl(SourceText source) {
        int line = 1;
        int column = 1;
        int[] points = source.text().codePoints().toArray();
        for (int i = 0; i < points.length; i++) {
            int point = points[i];
            boolean lineEnd = point == '\n' || (point == '\r' && i + 1 < points.length && points[i + 1] == '\n');
            if (point == '\n') {
                line++;
                column = 1;
                continue;
            }
            if (!lineEnd && point != '\t' && Wording.isControl(point)) {
                findings.fault(
                        Code.CONTROL_CHARACTER,
                        source.at(line, column, 1, ""),
                        "The invisible character " + String.format("U+%04X", point) + " is here.",
                        "Remove it.");
                return true;
            }
            column++;
        }
        return false;
    }
}
