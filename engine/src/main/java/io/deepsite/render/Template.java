package io.deepsite.render;

import com.hubspot.jinjava.tree.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A template that was parsed and checked.
 *
 * @param expression the expression, if the whole text is one
 * @param parsed empty if the whole text is one expression: that is evaluated, not rendered
 * @param rendered cached results, by the values of all its variables in order: most hosts of a site are alike
 */
record Template(
        RoleText source,
        Optional<String> expression,
        TemplateNames names,
        Optional<Node> parsed,
        Map<List<@Nullable Object>, Optional<Object>> rendered) {}
