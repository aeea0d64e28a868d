package io.deepsite.render;

import com.hubspot.jinjava.tree.Node;
import java.util.Map;
import java.util.Optional;

/**
 * A text that was read and found allowed.
 *
 * @param expression the expression, where the text is nothing but one
 * @param names variables it needs, with the line of their first use
 */
record Template(SourceText source, Optional<String> expression, Map<String, Integer> names, Node parsed) {}
