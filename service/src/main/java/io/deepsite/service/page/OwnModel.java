package io.deepsite.service.page;

import io.deepsite.diag.Diagnostic;
import io.deepsite.tosca.ImportedSite;
import java.util.List;

/**
 * The form of a site.yaml that its user writes.
 *
 * @param granted keys that the administrator gives, in words
 * @param images that machines may have, in words
 * @param yaml what was typed, or made of a template
 * @param tosca what was typed
 * @param start not before, as the field of the form has it
 * @param left of the template, what is not in the site as it has it
 * @param faults of what was sent before
 */
public record OwnModel(
        Frame frame,
        String project,
        String granted,
        String images,
        String title,
        String yaml,
        String tosca,
        String start,
        List<ImportedSite.Left> left,
        List<Diagnostic> faults) {}
