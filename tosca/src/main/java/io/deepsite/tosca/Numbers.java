package io.deepsite.tosca;

import io.deepsite.tosca.ImportedSite.Left;
import io.deepsite.tosca.Template.Node;
import java.util.List;
import java.util.Optional;

/** Whole numbers of a template, which become values or parameters of the site. */
final class Numbers {
    private final Inputs inputs;
    private final Functions functions;
    private final SiteText text;
    private final List<Left> left;

    Numbers(Inputs inputs, Functions functions, SiteText text, List<Left> left) {
        this.inputs = inputs;
        this.functions = functions;
        this.text = text;
        this.left = left;
    }

    /** Rounded up; empty for what has no value, or is none. */
    Optional<Integer> known(Node node, Value value) {
        return functions
                .resolve(node, value)
                .text()
                .filter(number -> number.matches("[0-9]{1,6}(\\.[0-9]{1,6})?"))
                .map(number -> (int) Math.ceil(Double.parseDouble(number)));
    }

    /**
     * The number, or the parameter that gives it.
     *
     * @param key as the list of what is left calls it, if it has no value
     */
    Optional<String> written(Node node, Value value, String key) {
        var known = known(node, value).map(String::valueOf);
        var input = functions.inputOf(value).filter(name -> inputs.type(name).equals("integer"));
        if (input.isPresent() && known.isPresent()) {
            return Optional.of(text.parameter(input.get(), "integer", known.get(), inputs.description(input.get())));
        }
        if (known.isEmpty() && !value.isNone()) {
            unset(node, value, key);
        }
        return known;
    }

    /** Something that only an input would say, or the machines themselves. */
    void unset(Node node, Value value, String key) {
        left.add(new Left(
                node.name() + ": " + key,
                value.line(),
                functions
                        .inputOf(value)
                        .map(input -> "The input " + input + " has no value: give it with --input " + input + "=VALUE.")
                        .orElse("It has no value before the machines exist."),
                true));
    }
}
