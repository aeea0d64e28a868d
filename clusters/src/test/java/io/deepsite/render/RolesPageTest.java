package io.deepsite.render;

import io.deepsite.diag.Code;
import io.deepsite.site.load.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RolesPageTest {

    @Test
    void pageOfTheRepositoryListsEveryVariableOfEveryRole() throws IOException {
        var page = new StringBuilder("""
                # Roles and their variables

                <!-- Generated from ansible-roles/*/meta/argument_specs.yml; `mvn test -Dgolden.update` writes it anew. -->

                The engine sets these variables from site.yaml; whoever writes a blueprint or runs a bundle by hand needs them.
                An unknown name or a value of another type is an error before anything is touched.
                """);
        for (var name : RepositoryRoles.names()) {
            var source = RoleText.read(
                    RepositoryRoles.HOME.roles().resolve(name).resolve("meta/argument_specs.yml"), Code.ROLE_FILE);
            var variables = ArgumentSpec.read(source);
            page.append("\n## ")
                    .append(name)
                    .append("\n\n")
                    .append(summary(name))
                    .append("\n");
            if (!variables.isEmpty()) {
                page.append("\n| variable | type | default | meaning |\n|---|---|---|---|\n");
                rows(page, "", variables);
            }
        }
        Golden.assertSame(Path.of("../docs/reference/roles.md"), page.toString());
    }

    private static void rows(StringBuilder page, String prefix, Map<String, ArgumentSpec> variables) {
        variables.forEach((name, spec) -> {
            page.append("| `").append(prefix).append(name).append("` | ").append(type(spec));
            page.append(" | ")
                    .append(byDefault(spec))
                    .append(" | ")
                    .append(spec.description().strip());
            if (!spec.choices().isEmpty()) {
                page.append(" One of: ")
                        .append(String.join(
                                ", ",
                                spec.choices().stream().map(String::valueOf).toList()));
                page.append('.');
            }
            page.append(" |\n");
            rows(page, prefix + name + (spec.type() == ArgumentSpec.Type.LIST ? "[]." : "."), spec.options());
        });
    }

    private static String type(ArgumentSpec spec) {
        return spec.type()
                + spec.elements().map(elements -> " of " + plural(elements)).orElse("");
    }

    private static String plural(ArgumentSpec.Type type) {
        return switch (type) {
            case STR -> "texts";
            case PATH -> "paths";
            case INT -> "whole numbers";
            case FLOAT -> "numbers";
            case BOOL -> "truth values";
            case LIST -> "lists";
            case DICT -> "maps";
            case RAW -> "values";
        };
    }

    private static String byDefault(ArgumentSpec spec) {
        if (spec.required()) {
            return "required";
        }
        return spec.byDefault()
                .map(value -> "`" + (value.equals("") ? "''" : value) + "`")
                .orElse("none");
    }

    /** The first paragraph of the role's README. */
    private static String summary(String role) throws IOException {
        var readme = Files.readString(RepositoryRoles.HOME.roles().resolve(role).resolve("README.md"));
        var paragraph = readme.split("\n\n", -1)[1].strip();
        return paragraph.startsWith("|") || paragraph.startsWith("-") ? "" : paragraph;
    }
}
