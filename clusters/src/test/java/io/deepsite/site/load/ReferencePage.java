package io.deepsite.site.load;

import io.deepsite.TestSites;
import java.util.LinkedHashMap;
import java.util.List;

/** The reference page of site.yaml, in Markdown. */
final class ReferencePage {
    private ReferencePage() {}

    /** Ends with a line break. */
    static String text() {
        var catalogue = new Catalogue(TestSites.ALL.model());
        var sections = new LinkedHashMap<String, StringBuilder>();
        for (var entry : catalogue.entries()) {
            if (!entry.isField()) {
                continue;
            }
            var parent = entry.path().subList(0, entry.path().size() - 1);
            String title = parent.isEmpty()
                    ? "The file"
                    : "`" + String.join(".", parent) + "`"
                            + entry.kind().map(kind -> " of kind " + kind).orElse("");
            row(sections.computeIfAbsent(title, _ -> new StringBuilder()), entry);
        }
        var page = new StringBuilder("""
                # site.yaml

                <!-- Generated from the model; `mvn test -Dgolden.update` writes it anew. -->

                Every key of the file. `<name>` is a name you choose, `[]` an entry of a list. *Change* says what a change
                of the key costs on a site that exists; a key marked *required* has no default. Sizes and times carry
                their unit. `deepsite explain KEY` prints the same at the terminal, and `schema/site.schema.json` gives it
                to an editor.
                """);
        sections.forEach((title, rows) -> page.append("\n## ")
                .append(title)
                .append("\n\n| key | value | default | change | |\n|---|---|---|---|---|\n")
                .append(rows));
        return page.toString();
    }

    private static void row(StringBuilder out, Catalogue.Entry entry) {
        var field = entry.field();
        String standard =
                !field.defaultValue().isEmpty() ? "`" + field.defaultValue() + "`" : field.needed() ? "*required*" : "";
        String about = field.about()
                + (field.example().isEmpty() ? "" : " Example: `" + field.example() + "`.")
                + asked(" Excludes ", ", ", entry.excludes())
                + asked(" Requires ", "; ", entry.requires())
                + (field.notYet() ? " **Refused: not enforced by this version.**" : "");
        out.append("| ")
                .append(String.join(
                        " | ",
                        List.of(
                                "`" + field.key() + "`",
                                TypeName.of(field),
                                standard,
                                field.impact().meaning(),
                                about.replace("|", "\\|").replace("<", "&lt;"))))
                .append(" |\n");
    }

    private static String asked(String verb, String separator, List<String> keys) {
        return keys.isEmpty() ? "" : verb + String.join(separator, keys) + ".";
    }
}
