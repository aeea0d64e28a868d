package io.deepsite.render;

import com.hubspot.jinjava.Jinjava;
import com.hubspot.jinjava.JinjavaConfig;
import com.hubspot.jinjava.LegacyOverrides;
import com.hubspot.jinjava.interpret.Context;
import com.hubspot.jinjava.interpret.Context.Library;
import com.hubspot.jinjava.interpret.JinjavaInterpreter;
import com.hubspot.jinjava.lib.Importable;
import com.hubspot.jinjava.lib.fn.ELFunctionDefinition;
import com.hubspot.jinjava.loader.ResourceLocator;
import com.hubspot.jinjava.loader.ResourceNotFoundException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * jinjava restricted to what deepsite uses: unknown names are errors, values are never evaluated as templates, and what
 * {@link TemplateRules} refuses is also disabled at run time. White space as in Ansible's template module: the line
 * break after a statement is removed, the file's last one is kept.
 */
final class SandboxedJinja {
    /** The default test of selectattr and rejectattr. */
    private static final String USUAL_TEST = "truthy";

    private final Jinjava jinjava = configured();
    private final Map<Library, Set<String>> disabled = disabled(jinjava.getGlobalContext());

    /**
     * For one rendering. Disables functions itself: the configuration's disabled list applies only to jinjava's render
     * methods.
     */
    JinjavaInterpreter interpreter(Map<String, ?> scope) {
        var context = new Context(jinjava.getGlobalContext(), scope, disabled);
        return new JinjavaInterpreter(jinjava, context, jinjava.getGlobalConfig());
    }

    private static Jinjava configured() {
        var jinjava = new Jinjava(JinjavaConfig.newBuilder()
                .withFailOnUnknownTokens(true)
                .withNestedInterpretationEnabled(false)
                .withKeepTrailingNewline(true)
                .withTrimBlocks(true)
                .withElResolver(new StrictProperties())
                .withLegacyOverrides(LegacyOverrides.newBuilder()
                        .withEvaluateMapKeys(true)
                        .withIterateOverMapKeys(true)
                        .withUseNaturalOperatorPrecedence(true)
                        .withParseWhitespaceControlStrictly(true)
                        .withAllowAdjacentTextNodes(true)
                        .withUseTrimmingForNotesAndExpressions(true)
                        .withKeepNullableLoopValues(true)
                        .withHandleBackslashInQuotesOnly(true)
                        .build())
                .build());
        jinjava.setResourceLocator(noOtherTemplate());
        jinjava.registerFilter(new AttributeMap());
        jinjava.registerFunction(
                new ELFunctionDefinition("", "secret", TemplateFunctions.class, "secret", String.class));
        jinjava.registerFunction(
                new ELFunctionDefinition("", "json_secret", TemplateFunctions.class, "jsonSecret", String.class));
        jinjava.registerFunction(
                new ELFunctionDefinition("", "apache_secret", TemplateFunctions.class, "apacheSecret", String.class));
        jinjava.registerFunction(
                new ELFunctionDefinition("", "public_key", TemplateFunctions.class, "publicKey", String.class));
        jinjava.registerFunction(
                new ELFunctionDefinition("", "fact", TemplateFunctions.class, "fact", String.class, String.class));
        jinjava.getGlobalContext().setExpressionStrategy(new PlainOutput());
        return jinjava;
    }

    private static Map<Library, Set<String>> disabled(Context all) {
        return Map.of(
                Library.FILTER, others(all.getAllFilters(), ExpressionRules.FILTERS),
                Library.EXP_TEST, others(all.getAllExpTests(), and(ExpressionRules.TESTS, USUAL_TEST)),
                Library.FUNCTION, others(all.getAllFunctions(), ExpressionRules.FUNCTIONS),
                Library.TAG, others(all.getAllTags(), TemplateRules.TAGS));
    }

    private static Set<String> and(Set<String> names, String one) {
        return Stream.concat(names.stream(), Stream.of(one)).collect(Collectors.toUnmodifiableSet());
    }

    private static Set<String> others(Collection<? extends Importable> all, Set<String> allowed) {
        return all.stream()
                .map(Importable::getName)
                // A function's name includes its prefix, here always empty: ":range".
                .filter(name -> !allowed.contains(name.startsWith(":") ? name.substring(1) : name))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static ResourceLocator noOtherTemplate() {
        return (name, encoding, interpreter) -> {
            throw new ResourceNotFoundException("a template includes no other: " + name);
        };
    }
}
