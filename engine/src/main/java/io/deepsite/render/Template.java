package io.deepsite.render;

import com.hubspot.jinjava.tree.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A text that was read and found allowed.
 *
 * @param expression the expression, where the text is nothing but one
 * @param rendered what came of it, by the values of all its variables in their order: most hosts of a site are alike
 */
record Template(
        RoleText source,
        Optional<String> expression,
        TemplateNames names,
        Node parsed,
        Map<List<@Nullable Object>, Optional<Object>> rendered) {}
