package io.deepsite.service.catalogue;

import io.deepsite.site.Name;
import io.deepsite.site.Parameter;
import io.deepsite.site.Span;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What users may order.
 *
 * @param id the name of its folder
 * @param yaml its site.yaml, with parameters
 * @param usual what it counts for when nothing is set
 * @param lease how long its sites live when nothing is set; empty: until they are deleted
 * @param picture its file
 */
public record Template(
        Name id,
        TemplateText text,
        String yaml,
        Map<Name, Parameter> parameters,
        Amounts usual,
        Optional<Span> lease,
        Optional<Path> picture) {

    /** Its site.yaml with an account of this name, where it gives one. */
    public String yamlFor(String account) {
        return text.account() ? OrderedYaml.withUser(yaml, account) : yaml;
    }

    public boolean isFor(Name project) {
        return text.projects().isEmpty() || text.projects().contains(project);
    }
}
